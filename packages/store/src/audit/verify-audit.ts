import type { AuditDrop, AuditVerification } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { checkCatalogue } from './check-catalogue.ts';
import { type BadRange, findMissingHolds, type MissingHold } from './check-seal.ts';
import type { VerifierKey } from './keys.ts';
import { type DropStatement, openNote, readDropText, readSealText } from './note-text.ts';
import { reachesSeals } from './stored-seal.ts';
import { type AlteredWhenSealed, verifySeals } from './verify-seals.ts';

/** Lines of one call: half a second of reading and hashing. */
const LINE_COUNT_MAX = 50_000;

interface AuditCheck {
  readonly caller: Caller;
  readonly keys: readonly VerifierKey[];
  /** The seal up to which all is verified. */
  readonly after: number;
}

/** Verifies the next seals of the audit, for a caller who continues until the end. */
export async function verifyAudit(
  { db }: Pick<Store, 'db'>,
  { caller, keys, after }: AuditCheck,
): Promise<AuditVerification> {
  const tables = reachesSeals(caller) ? await checkCatalogue(db) : [];
  const missing = reachesSeals(caller) ? await findMissingHolds(db) : [];
  const verdict = reachesSeals(caller)
    ? await verifySeals({ db }, { keys, after, lineCountMax: LINE_COUNT_MAX })
    : ({
        kind: 'verified',
        through: 0,
        sealCount: 0,
        lineCount: 0,
        misdatedCount: 0,
        altered: [],
        dropped: [],
        isEnd: true,
      } as const);
  await recordAccess(db, { caller, operation: 'audit.verify' });
  const { through, sealCount, lineCount } = verdict;
  const common = {
    verified_through: through,
    seal_count: sealCount,
    line_count: lineCount,
    dropped: verdict.dropped.map(toAuditDrop),
    bad_tables: tables,
    missing_holds: missing.map(toMissingHold),
    altered_when_sealed: verdict.altered.map(toAlteredWhenSealed),
  };
  if (verdict.kind === 'verified')
    return { ...common, bad_range: null, next_cursor: verdict.isEnd ? null : String(through) };
  return { ...common, bad_range: toBadRange(verdict.range), next_cursor: null };
}

/** A record of dropped lines, in an answer's terms. */
export const toAuditDrop = (drop: DropStatement): AuditDrop => ({
  drop: drop.number,
  month: drop.month,
  dropped_at: drop.at.toISOString(),
  dropped_by: drop.by,
  first_id: String(drop.firstId),
  last_id: String(drop.lastId),
  line_count: drop.lineCount,
  first_seal: drop.firstSeal,
  last_seal: drop.lastSeal,
  archive_sha256: drop.archive,
});

/** A range at fault, in an answer's terms. */
export const toBadRange = (bad: BadRange): NonNullable<AuditVerification['bad_range']> => ({
  fault: bad.fault,
  seal: bad.number,
  first_id: String(bad.firstId),
  last_id: bad.lastId === null ? null : String(bad.lastId),
  sealed_count: bad.sealedCount,
  found_count: bad.foundCount,
});

/** A legal hold that vanished, in an answer's terms. */
export const toMissingHold = ({
  holdId,
  placedAt,
  requestId,
}: MissingHold): AuditVerification['missing_holds'][number] => ({
  hold_id: holdId,
  placed_at: placedAt.toISOString(),
  request_id: requestId,
});

/** Seals made while tables were not as the schema makes them, in an answer's terms. */
export const toAlteredWhenSealed = ({
  firstSeal,
  lastSeal,
  tables,
}: AlteredWhenSealed): AuditVerification['altered_when_sealed'][number] => ({
  first_seal: firstSeal,
  last_seal: lastSeal,
  tables: [...tables],
});

/**
 * What is wrong with a copy. `absent`: the database lacks this seal, so lines are gone with it; or this record of a drop.
 * `differs`: it has another of this number. `forged`, `unknown_key`: the copy is not what a key signed.
 */
export type NoteFault = 'absent' | 'differs' | 'forged' | 'unknown_key';

interface NoteComparison {
  readonly notes: readonly string[];
  readonly keys: readonly VerifierKey[];
}

type ComparedNotes =
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
