import type { Store } from '../open-store.ts';
import { readSealText } from './note/seal-text.ts';
import { openNote } from './note/signed-note.ts';
import type { VerifierKey } from './note/verifier-key.ts';

/**
 * What is wrong with a copy. `absent`: the database lacks this seal, so lines are gone with it. `differs`: it has another
 * of this number. `forged`, `unknown_key`: the copy is not what a key signed.
 */
export type NoteFault = 'absent' | 'differs' | 'forged' | 'unknown_key';

export interface NoteComparison {
  readonly notes: readonly string[];
  readonly keys: readonly VerifierKey[];
}

export type ComparedNotes =
  | { readonly kind: 'same' }
  /** The first that is not. `number`: null where it cannot be read. */
  | { readonly kind: 'other'; readonly fault: NoteFault; readonly number: number | null };

/** Whether the database has copies of seals as they are. */
export async function compareNotes(
  { db }: Pick<Store, 'db'>,
  { notes, keys }: NoteComparison,
): Promise<ComparedNotes> {
  const copies: { readonly number: number; readonly note: string }[] = [];
  for (const note of notes) {
    const opened = openNote(note, keys);
    const number = opened.kind === 'signed' ? (readSealText(opened.text)?.number ?? null) : null;
    if (opened.kind !== 'signed') return { kind: 'other', fault: opened.kind, number };
    if (number === null) return { kind: 'other', fault: 'forged', number };
    copies.push({ number, note });
  }
  if (copies.length === 0) return { kind: 'same' };
  const rows = await db
    .selectFrom('audit_seal')
    .select(['number', 'note'])
    .where(
      'number',
      'in',
      copies.map(({ number }) => String(number)),
    )
    .execute();
  const stored = new Map(rows.map(({ number, note }) => [Number(number), note]));
  const other = copies.find(({ number, note }) => stored.get(number) !== note);
  if (!other) return { kind: 'same' };
  return { kind: 'other', fault: stored.has(other.number) ? 'differs' : 'absent', number: other.number };
}
