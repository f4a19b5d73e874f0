import type { Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { checkSeal, type SealFault } from './check-seal.ts';
import type { VerifierKey } from './keys.ts';
import { openNote } from './note-text.ts';
import { readResumeText, type ResumeStatement } from './resume-text.ts';
import type { KeptNote, SealFile } from './seal-file.ts';
import { hashOfNote, sealAt, sealsAfter, type StoredSeal } from './stored-seal.ts';
import { type Copy, type NoteFault, storedNotes } from './verify-audit.ts';

/** Where the database and the file of seals differ. */
export interface Difference {
  /**
   * `absent`: the database lacks what the file has. `differs`: it has another. `unreadable`: the file's end has no note.
   * Any other: of what the file lacks, this is wrong in the database; or of the file's record that sealing was resumed.
   */
  readonly fault: NoteFault | SealFault | 'unreadable';
  readonly of: 'seal' | 'drop' | 'resume';
  /** Null where it cannot be read. */
  readonly number: number | null;
}

export type HeldAgainstFile =
  /** The database has what the file has. `isWhole`: the file has all seals now; otherwise the next call continues. */
  | {
      readonly kind: 'held';
      readonly isWhole: boolean;
      /** What the end of the file gives up: the seals after `number`, through `givenUp`; null where it gives up none. */
      readonly givenUp: Pick<ResumeStatement, 'number' | 'givenUp'> | null;
    }
  /** It lacks only the last seal of the file: that was signed, and its transaction rolled back, or it was removed. */
  | { readonly kind: 'unwritten'; readonly number: number; readonly note: string }
  | ({ readonly kind: 'differs' } & Difference);

const SEALS_PER_PART = 500;

/** Seals of one call: two seconds of verifying signatures. */
const PART_COUNT = 20;

/**
 * Holds the table of seals against the file, and adds to the file what it lacks: seals that another process made, or that
 * were made before there was a file.
 *
 * Only the end of the file is compared: each note names the one before by its hash, so with the last one the
 * whole past is fixed, and no later signature can belong to another past. A change of older rows is
 * found by verification. A seal that the file lacks counts only if a key signed it and it continues from the one before.
 */
export async function compareWithFile(
  trx: Transaction<Tables>,
  { file, keys }: { readonly file: SealFile; readonly keys: readonly VerifierKey[] },
): Promise<HeldAgainstFile> {
  const { notes: tail, isEmpty } = await file.readTail();
  if (tail.length === 0 && !isEmpty)
    return { kind: 'differs', fault: 'unreadable', of: 'seal', number: null };
  const start = tail.findLastIndex((note) => 'resume' in note);
  const resumed = tail[start];
  const resume = resumed && 'resume' in resumed ? await checkResume(trx, resumed, keys) : null;
  if (resume && 'fault' in resume) return { kind: 'differs', ...resume };
  const kept = tail.slice(start + 1);
  const other = await findOther(trx, kept);
  const lastSeal = kept.findLast((note) => 'seal' in note);
  if (other?.fault === 'absent' && other.of === 'seal' && other.number === lastSeal?.seal)
    return { kind: 'unwritten', number: lastSeal.seal, note: lastSeal.note };
  if (other) return { kind: 'differs', ...other };
  const last = lastSeal?.seal ?? resume?.number;
  // Without a seal in it the end cannot show what the file lacks.
  if (last === undefined && !isEmpty)
    return { kind: 'differs', fault: 'unreadable', of: 'seal', number: null };
  return addLacking(trx, { file, keys, after: last ?? 0, givenUp: resume });
}

/** The newest seal of the file; 0 for none. */
export async function lastKeptSeal(file: SealFile): Promise<number> {
  const { notes } = await file.readTail();
  const last = notes.findLast((note) => 'seal' in note || 'resume' in note);
  return last && 'seal' in last ? last.seal : last && 'resume' in last ? last.resume : 0;
}

/** The record by which sealing continues after a seal: the database must have that one. */
async function checkResume(
  trx: Transaction<Tables>,
  { resume: number, note }: Extract<KeptNote, { resume: number }>,
  keys: readonly VerifierKey[],
): Promise<ResumeStatement | Difference> {
  const opened = openNote(note, keys);
  if (opened.kind !== 'signed') return { fault: opened.kind, of: 'resume', number };
  const statement = readResumeText(opened.text);
  if (statement?.number !== number) return { fault: 'forged', of: 'resume', number };
  if (number === 0) return statement;
  const seal = await sealAt(trx, number);
  if (!seal) return { fault: 'absent', of: 'seal', number };
  return hashOfNote(seal.note) === statement.previous ? statement : { fault: 'differs', of: 'seal', number };
}

async function findOther(trx: Transaction<Tables>, kept: readonly KeptNote[]): Promise<Difference | null> {
  const copies = kept.flatMap((one): Copy[] => {
    if ('seal' in one) return [{ of: 'seal', number: one.seal, note: one.note }];
    return 'drop' in one ? [{ of: 'drop', number: one.drop, note: one.note }] : [];
  });
  const stored = {
    seal: await storedNotes(trx, 'seal', copies),
    drop: await storedNotes(trx, 'drop', copies),
  };
  const other = copies.find(({ of, number, note }) => stored[of].get(number) !== note);
  if (!other) return null;
  const { of, number } = other;
  return { fault: stored[of].has(number) ? 'differs' : 'absent', of, number };
}

interface Lacking {
  readonly file: SealFile;
  readonly keys: readonly VerifierKey[];
  readonly after: number;
  readonly givenUp: ResumeStatement | null;
}

async function addLacking(
  trx: Transaction<Tables>,
  { file, keys, after, givenUp }: Lacking,
): Promise<HeldAgainstFile> {
  let before = after === 0 ? undefined : await sealAt(trx, after);
  for (let part = 0; part < PART_COUNT; part += 1) {
    const seals: StoredSeal[] = await sealsAfter(trx, before?.number ?? 0, SEALS_PER_PART);
    const drops = await dropsBetween(trx, before?.number ?? 0, seals.at(-1)?.number ?? 0);
    const notes: KeptNote[] = [];
    for (const seal of seals) {
      const bad = checkSeal({ seal, before }, keys);
      if (bad) return { kind: 'differs', fault: bad.fault, of: 'seal', number: bad.number };
      for (const drop of drops.filter(({ sealNumber }) => sealNumber === seal.number - 1)) {
        const opened = openNote(drop.note, keys);
        if (opened.kind !== 'signed')
          return { kind: 'differs', fault: opened.kind, of: 'drop', number: drop.number };
        notes.push({ drop: drop.number, note: drop.note });
      }
      notes.push({ seal: seal.number, note: seal.note });
      before = seal;
    }
    await file.append(notes);
    if (seals.length < SEALS_PER_PART) return { kind: 'held', isWhole: true, givenUp };
  }
  return { kind: 'held', isWhole: false, givenUp };
}

/** The records of drops that were signed before one of these seals, and after the first. */
async function dropsBetween(trx: Transaction<Tables>, after: number, through: number) {
  const rows = await trx
    .selectFrom('audit_drop')
    .select(['number', 'seal_number', 'note'])
    .where('seal_number', '>=', String(after))
    .where('seal_number', '<', String(through))
    .orderBy('number')
    .execute();
  return rows.map((row) => ({
    number: Number(row.number),
    sealNumber: Number(row.seal_number),
    note: row.note,
  }));
}
