import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { VerifierKey } from './keys.ts';
import { readLeaves } from './line-record.ts';
import { type DropStatement, openNote } from './note-text.ts';
import { BEFORE_ALL, firstLine } from './pages.ts';
import type { DropFault, StoredDrop } from './stored-drop.ts';
import { hashOfNote, sealAt, sealOfLine, type StoredSeal } from './stored-seal.ts';
import { hashOf, TreeEdge } from './tree.ts';

/** A seal, and the one before it; undefined for the first. */
export interface ChainedSeal {
  readonly seal: StoredSeal;
  readonly before: StoredSeal | undefined;
}

/** What is wrong with a seal, or between it and the one before. */
export function checkSeal({ seal, before }: ChainedSeal, keys: readonly VerifierKey[]): BadRange | undefined {
  const expected = (before?.number ?? 0) + 1;
  if (seal.number !== expected)
    return { ...missingAfter(before, expected), lastId: (seal.statement?.firstId ?? 0n) - 1n };
  const fault = faultOfNote(seal, keys) ?? (goesOn(seal, before) ? undefined : 'broken_chain');
  return fault && rangeOf(seal, fault);
}

/** The fault of a seal itself, whatever its place. */
export function checkNote(
  seal: StoredSeal | undefined,
  number: number,
  keys: readonly VerifierKey[],
): BadRange | undefined {
  if (!seal) return missingAfter(undefined, number);
  const fault = faultOfNote(seal, keys);
  return fault && rangeOf(seal, fault);
}

/** What is wrong with the lines of a seal that is right, or how many were compared. */
export async function compareLines(
  db: Kysely<Tables>,
  { seal, before }: ChainedSeal,
): Promise<{ readonly range?: BadRange; readonly lineCount: number }> {
  const edge = before?.edge?.copy() ?? TreeEdge.empty();
  const sealedCount = (seal.edge?.size ?? 0) - edge.size;
  let foundCount = 0;
  for await (const leaf of readLeaves(db, { after: before?.lastId ?? BEFORE_ALL, through: seal.lastId })) {
    foundCount += 1;
    if (foundCount <= sealedCount) edge.add(hashOf(leaf));
  }
  if (foundCount === sealedCount && edge.root() === seal.statement?.root) return { lineCount: foundCount };
  const range = { ...rangeOf(seal, faultOfLines(sealedCount, foundCount)), sealedCount, foundCount };
  return { range, lineCount: 0 };
}

/** Whether the row is what its note states, and a key signed that. */
function faultOfNote(seal: StoredSeal, keys: readonly VerifierKey[]): SealFault | undefined {
  const opened = openNote(seal.note, keys);
  if (opened.kind !== 'signed') return opened.kind;
  return isAsStated(seal) ? undefined : 'forged';
}

/** Whether the row is what its note states, with any signature. */
export function isAsStated({ number, lastId, sealedAt, settledAt, statement, edge }: StoredSeal): boolean {
  return (
    statement?.number === number &&
    statement.lastId === lastId &&
    statement.at.getTime() === sealedAt.getTime() &&
    statement.settledAt?.getTime() === settledAt?.getTime() &&
    edge?.root() === statement.root
  );
}

function goesOn({ statement, edge }: StoredSeal, before: StoredSeal | undefined): boolean {
  if (!statement || !edge) return false;
  if (!before) return statement.previous === null && statement.firstId === 1n;
  return (
    statement.previous === hashOfNote(before.note) &&
    statement.firstId === before.lastId + 1n &&
    statement.origin === before.statement?.origin &&
    edge.size >= (before.edge?.size ?? 0)
  );
}

function faultOfLines(sealedCount: number, foundCount: number): SealFault {
  if (foundCount === sealedCount) return 'lines_changed';
  return foundCount < sealedCount ? 'lines_removed' : 'lines_added';
}

/**
 * What is wrong with a range. `missing_seal`: its seals are gone. `forged`: the note is not what a key signed, or the
 * row says something else. `unknown_key`: none of the keys signed it. `broken_chain`: it does not continue from the seal
 * before. `lines_removed`, `lines_added`, `lines_changed`: its lines are not those that were sealed; as many, fewer or
 * more. `drop_forged`, `drop_unknown_key`: the record that its lines were dropped is not what a key signed, or of
 * another log; none of the keys signed it. `lines_left`: its lines are signed off as dropped, and some are there.
 */
export type SealFault =
  | 'missing_seal'
  | 'forged'
  | 'unknown_key'
  | 'broken_chain'
  | 'lines_removed'
  | 'lines_added'
  | 'lines_changed'
  | 'drop_forged'
  | 'drop_unknown_key'
  | 'lines_left';

/** The first altered range. */
export interface BadRange {
  readonly fault: SealFault;
  /** The seal at fault; of missing ones, and of a record's, the first. */
  readonly number: number;
  readonly firstId: bigint;
  /** Null where no seal says. */
  readonly lastId: bigint | null;
  /** As it was sealed, and as it is now; null where lines were not compared. */
  readonly sealedCount: number | null;
  readonly foundCount: number | null;
}

const uncompared = { sealedCount: null, foundCount: null };

/** A range whose seal is not there. */
const missingAfter = (before: StoredSeal | undefined, number: number): BadRange => ({
  fault: 'missing_seal',
  number,
  firstId: (before?.lastId ?? 0n) + 1n,
  lastId: null,
  ...uncompared,
});

/** As the row states it, where the note cannot be read. */
const rangeOf = ({ number, statement, lastId }: StoredSeal, fault: SealFault): BadRange => ({
  fault,
  number,
  firstId: statement?.firstId ?? 0n,
  lastId,
  ...uncompared,
});

/** As the record states it, where it can be read. */
export const rangeOfDrop = ({ statement }: StoredDrop, fault: DropFault): BadRange => ({
  fault: `drop_${fault}`,
  number: statement?.firstSeal ?? 1,
  firstId: statement?.firstId ?? 1n,
  lastId: statement?.lastId ?? null,
  ...uncompared,
});

/** The first seal after an id that has lines although all of its lines were dropped; null for none. */
export async function findLinesLeft(
  db: Kysely<Tables>,
  drops: readonly DropStatement[],
  after: bigint,
): Promise<BadRange | null> {
  const through = drops.at(-1)?.lastId ?? BEFORE_ALL;
  const id = await firstLine(db, { after, through });
  const seal = id === null ? undefined : await sealOfLine(db, id);
  if (!seal) return null;
  const before = seal.number === 1 ? undefined : await sealAt(db, seal.number - 1);
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from access_log
    where id > ${before?.lastId ?? BEFORE_ALL} and id <= ${seal.lastId}`.execute(db);
  const sealedCount = (seal.edge?.size ?? 0) - (before?.edge?.size ?? 0);
  return { ...rangeOf(seal, 'lines_left'), sealedCount, foundCount: rows[0]?.count ?? 0 };
}

/** A legal hold that was placed by a sealed line, that no line ends, and that its table does not have. */
export interface MissingHold {
  readonly holdId: string;
  readonly placedAt: Date;
  /** Null where it covered a whole account. */
  readonly requestId: string | null;
}

interface PlacingRow {
  readonly id: string;
  readonly at: Date;
  readonly request_id: string | null;
}

/**
 * The legal holds that vanished: somebody removed the row, put an end into it, or turned it to something else. It needs no
 * master key, so it believes the row's columns; an erasure looks at the MAC as well. Lines of dropped months are not
 * there to be compared.
 */
export async function findMissingHolds(db: Kysely<Tables>): Promise<MissingHold[]> {
  const { rows } = await sql<PlacingRow>`
    select placed.subject_id as id, placed.at, placed.request_id
    from access_log placed
    where placed.operation = 'holds.place' and placed.outcome = 'done' and placed.subject_id is not null
      and placed.id <= (select max(last_id) from audit_seal)
      and not exists (
        select from access_log ending
        where ending.operation = 'holds.end' and ending.outcome = 'done' and ending.subject_id = placed.subject_id)
      and not exists (
        select from legal_hold hold
        where hold.id = placed.subject_id and hold.ended_at is null
          and hold.request_id is not distinct from placed.request_id
          and placed.details = pg_catalog.format('{"before":null,"after":{"account_id":"%s","request_id":%s}}',
            hold.account_id, coalesce('"' || hold.request_id || '"', 'null')))
    order by placed.id`.execute(db);
  return rows.map(({ id, at, request_id }) => ({ holdId: id, placedAt: at, requestId: request_id }));
}
