import { FAULT_COUNT_MAX } from '@insurance-verification/schema';
import type { Member, ObjectOutline, Outline } from '../procedure/outline.ts';
import { IGNORED_COUNT_MAX } from '../procedure/unknown-members.ts';
import { JsonFault, JsonScanner, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-scanner.ts';

/**
 * Shortens a JSON text in valid UTF-8 to one that a schema answers alike. `JSON.parse` creates every value that is
 * sent: 350,000 `{}` or a million `[` in one megabyte took it 50 to 80 ms and 30 MB before the schema saw the first of
 * them; 50 ms and 30 MB are the bound. This function drops what the schema never looks at: unknown members, except the first few names, which the
 * caller gets, and the first of each object, since an input of ours refuses it; all but the last of a repeated member; the contents of an object or list where another kind is due;
 * and what follows the thousandth certainly faulty element of a list.
 *
 * @throws {JsonFault} where the text stops being JSON.
 */
export function pruneJson(bytes: Buffer, outline: Outline): string {
  const pruner = new JsonPruner(bytes);
  pruner.space();
  const start = pruner.at;
  const pruned = pruner.prune(outline);
  const end = pruner.at;
  pruner.space();
  if (pruner.at < bytes.length) throw new JsonFault(pruner.at);
  return pruned ?? bytes.toString('utf8', start, end);
}

const NULL_START = 0x6e;

/** A value: its place in the text if it stays unchanged, or its shorter text. */
type Kept = { readonly from: number; readonly to: number } | string;

class JsonPruner extends JsonScanner {
  /** Whether the value that `prune` passed last is certainly a fault, whatever else its field requires. */
  #isFaulty = false;
  #unknownCount = 0;

  /** Moves past the value at `at`. @returns its shorter text; null when it stays unchanged. */
  prune(outline: Outline): string | null {
    const code = this.peek();
    if (code === OPEN_BRACE) return outline.kind === 'object' ? this.#object(outline) : this.#replaced('{}');
    if (code === OPEN_BRACKET)
      return outline.kind === 'list' ? this.#list(outline.element) : this.#replaced('[]');
    const fits = (outline.kind === 'text' && code === QUOTE) || (outline.isNullable && code === NULL_START);
    // Only the field itself can judge a value of the kind `scalar`.
    this.#isFaulty = !fits && outline.kind !== 'scalar';
    this.scalar();
    return null;
  }

  /** An object or list where another kind is due: a fault whatever its contents. */
  #replaced(empty: string): string {
    this.value();
    this.#isFaulty = true;
    return empty;
  }

  #object({ members, requiredBits }: ObjectOutline): string | null {
    const kept = new Map<Member, Kept>();
    const unknown: string[] = [];
    let isWhole = true;
    let seenBits = 0;
    let faultyBits = 0;
    for (let ended = this.open(); !ended; ended = this.next(OPEN_BRACE)) {
      const name = { from: this.at, to: this.key() };
      const member = this.#memberAt(name.from, name.to, members);
      if (!member) {
        this.value();
        isWhole = false;
        if (this.#unknownCount++ <= IGNORED_COUNT_MAX || unknown.length === 0)
          unknown.push(`${this.#text(name)}:null`);
        continue;
      }
      const { outline, bit } = member;
      const start = this.at;
      const pruned = this.prune(outline);
      if (pruned !== null || (seenBits & bit) !== 0) isWhole = false;
      seenBits |= bit;
      faultyBits = this.#isFaulty ? faultyBits | bit : faultyBits & ~bit;
      kept.set(member, pruned ?? { from: start, to: this.at });
    }
    this.#isFaulty = faultyBits !== 0 || (seenBits & requiredBits) !== requiredBits;
    if (isWhole) return null;
    const known = [...kept].map(([{ name }, value]) => `"${name}":${this.#text(value)}`);
    return `{${[...known, ...unknown].join()}}`;
  }

  #list(element: Outline): string | null {
    const pieces: string[] = [];
    /** Where the text not yet in `pieces` begins. */
    let from = this.at;
    let faultyCount = 0;
    for (let ended = this.open(); !ended; ended = this.next(OPEN_BRACKET)) {
      const start = this.at;
      const pruned = this.prune(element);
      if (this.#isFaulty) faultyCount += 1;
      if (pruned !== null) {
        pieces.push(this.#text({ from, to: start }), pruned);
        from = this.at;
      }
      if (faultyCount === FAULT_COUNT_MAX) {
        pieces.push(this.#text({ from, to: this.at }), ']');
        while (!this.next(OPEN_BRACKET)) this.value();
        from = this.at;
        break;
      }
    }
    this.#isFaulty = faultyCount > 0;
    return pieces.length === 0 ? null : pieces.join('') + this.#text({ from, to: this.at });
  }

  /** The member named by the key between two indexes, quotes included. Makes a string only of a key with an escape. */
  #memberAt(start: number, end: number, members: readonly Member[]): Member | undefined {
    if (!this.hasEscape) return members.find(({ nameBytes }) => this.#reads(nameBytes, start + 1, end - 1));
    const meant = JSON.parse(this.bytes.toString('utf8', start, end)) as string;
    return members.find(({ name }) => name === meant);
  }

  #reads(word: Buffer, start: number, end: number): boolean {
    if (word.length !== end - start) return false;
    for (let index = 0; index < word.length; index += 1)
      if (word[index] !== this.bytes[start + index]) return false;
    return true;
  }

  #text(kept: Kept): string {
    return typeof kept === 'string' ? kept : this.bytes.toString('utf8', kept.from, kept.to);
  }
}
