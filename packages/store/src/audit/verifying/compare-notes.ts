import type { Store } from '../../open-store.ts';
import type { VerifierKey } from '../note/keys.ts';
import { readDropText, readSealText } from '../note/note-text.ts';
import { openNote } from '../note/signed-note.ts';

/**
 * What is wrong with a copy. `absent`: the database lacks this seal, so lines are gone with it; or this record of a drop.
 * `differs`: it has another of this number. `forged`, `unknown_key`: the copy is not what a key signed.
 */
export type NoteFault = 'absent' | 'differs' | 'forged' | 'unknown_key';

export interface NoteComparison {
  readonly notes: readonly string[];
  readonly keys: readonly VerifierKey[];
}

export type ComparedNotes =
  | { readonly kind: 'same' }
  /** The first that is not. `number`: null where it cannot be read. `of`: what it is a copy of. */
  | {
      readonly kind: 'other';
      readonly fault: NoteFault;
      readonly of: 'seal' | 'drop';
      readonly number: number | null;
    };

/** Whether the database has copies of seals, and of the records of drops, as they are. */
export async function compareNotes(
  { db }: Pick<Store, 'db'>,
  { notes, keys }: NoteComparison,
): Promise<ComparedNotes> {
  const copies: Copy[] = [];
  for (const note of notes) {
    const opened = openNote(note, keys);
    const copy = opened.kind === 'signed' ? copyOf(opened.text, note) : undefined;
    if (opened.kind !== 'signed') return { kind: 'other', fault: opened.kind, of: 'seal', number: null };
    if (!copy) return { kind: 'other', fault: 'forged', of: 'seal', number: null };
    copies.push(copy);
  }
  const stored = { seal: await storedNotes(db, 'seal', copies), drop: await storedNotes(db, 'drop', copies) };
  const other = copies.find(({ of, number, note }) => stored[of].get(number) !== note);
  if (!other) return { kind: 'same' };
  const { of, number } = other;
  return { kind: 'other', fault: stored[of].has(number) ? 'differs' : 'absent', of, number };
}

/** The copy of a note. */
export interface Copy {
  readonly of: 'seal' | 'drop';
  readonly number: number;
  readonly note: string;
}

function copyOf(text: string, note: string): Copy | undefined {
  const seal = readSealText(text);
  if (seal) return { of: 'seal', number: seal.number, note };
  const drop = readDropText(text);
  return drop && { of: 'drop', number: drop.number, note };
}

/** The notes that the database has of the numbers of these copies. */
export async function storedNotes(
  db: Store['db'],
  of: Copy['of'],
  copies: readonly Copy[],
): Promise<Map<number, string>> {
  const numbers = copies.filter((copy) => copy.of === of).map(({ number }) => String(number));
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom(`audit_${of}`)
    .select(['number', 'note'])
    .where('number', 'in', numbers)
    .execute();
  return new Map(rows.map(({ number, note }) => [Number(number), note]));
}
