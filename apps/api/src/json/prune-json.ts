import { FAULT_COUNT_MAX } from '@insurance-verification/schema';
import { JsonFault, JsonScanner, OPEN_BRACE, OPEN_BRACKET } from './json-scanner.ts';
import type { ObjectOutline, Outline } from './outline.ts';

/**
 * A shorter JSON text that a schema answers as it answers this one. `JSON.parse` makes every value that is sent: 350,000
 * `{}` or a million `[` in one megabyte took it 50 to 80 ms and 30 MB before the schema saw the first of them. Here what
 * the schema never looks at is not made: unknown members, all but the last of a repeated one, what is inside an object
 * where a text is due, and what follows the thousandth element of a list that is certainly a fault.
 *
 * @throws {JsonFault} where the text stops being JSON.
 */
export function pruneJson(text: string, outline: Outline): string {
  const pruner = new JsonPruner(text);
  pruner.space();
  const start = pruner.at;
  const pruned = pruner.prune(outline) ?? text.slice(start, pruner.at);
  pruner.space();
  if (pruner.at < text.length) throw new JsonFault(pruner.at);
  return pruned;
}

const QUOTE = 0x22;
const NULL_START = 0x6e;
const BACKSLASH = '\\';

class JsonPruner extends JsonScanner {
  /** Whether the value that `prune` passed last is a fault for certain, whatever else its field asks of it. */
  #isFaulty = false;

  /** Moves past the value at `at`. @returns its shorter text; null when it stays as it is. */
  prune(outline: Outline): string | null {
    const code = this.peek();
    if (code === OPEN_BRACE) return outline.kind === 'object' ? this.#object(outline) : this.#replaced('{}');
    if (code === OPEN_BRACKET)
      return outline.kind === 'list' ? this.#list(outline.element) : this.#replaced('[]');
    const fits = (outline.kind === 'text' && code === QUOTE) || (outline.isNullable && code === NULL_START);
    // Of another scalar only its field can tell.
    this.#isFaulty = !fits && outline.kind !== 'scalar';
    this.scalar();
    return null;
  }

  /** An object or list where another kind is due: a fault, whatever is in it. */
  #replaced(empty: string): string {
    this.value();
    this.#isFaulty = true;
    return empty;
  }

  #object({ members, requiredBits }: ObjectOutline): string | null {
    const kept = new Map<string, string>();
    let isWhole = true;
    let seenBits = 0;
    let faultyBits = 0;
    for (let ended = this.open(); !ended; ended = this.next(OPEN_BRACE)) {
      const name = this.#name(this.at, this.key());
      const member = members.get(name);
      if (!member) {
        this.value();
        isWhole = false;
        continue;
      }
      const { outline, bit } = member;
      const start = this.at;
      const pruned = this.prune(outline);
      if (pruned !== null || (seenBits & bit) !== 0) isWhole = false;
      seenBits |= bit;
      faultyBits = this.#isFaulty ? faultyBits | bit : faultyBits & ~bit;
      kept.set(name, pruned ?? this.text.slice(start, this.at));
    }
    this.#isFaulty = faultyBits !== 0 || (seenBits & requiredBits) !== requiredBits;
    return isWhole ? null : `{${[...kept].map(([name, value]) => `"${name}":${value}`).join()}}`;
  }

  #list(element: Outline): string | null {
    const { text } = this;
    const pieces: string[] = [];
    /** From here on the text stays as it is so far. */
    let from = this.at;
    let faultyCount = 0;
    for (let ended = this.open(); !ended; ended = this.next(OPEN_BRACKET)) {
      const start = this.at;
      const pruned = this.prune(element);
      if (this.#isFaulty) faultyCount += 1;
      if (pruned !== null) {
        pieces.push(text.slice(from, start), pruned);
        from = this.at;
      }
      if (faultyCount === FAULT_COUNT_MAX) {
        pieces.push(text.slice(from, this.at), ']');
        while (!this.next(OPEN_BRACKET)) this.value();
        from = this.at;
        break;
      }
    }
    this.#isFaulty = faultyCount > 0;
    return pieces.length === 0 ? null : pieces.join('') + text.slice(from, this.at);
  }

  /** The key between two indexes, quotes included, as the text means it. */
  #name(start: number, end: number): string {
    const name = this.text.slice(start + 1, end - 1);
    return name.includes(BACKSLASH) ? (JSON.parse(`"${name}"`) as string) : name;
  }
}
