import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';
import { readSealed } from '../dropped/read-sealed.ts';
import type { Dropped } from '../dropped/stored-drop.ts';
import { BEFORE_ALL, type LineRange } from '../lines/pages.ts';
import { openNote } from '../note/signed-note.ts';
import type { VerifierKey } from '../note/verifier-key.ts';
import { hashOfNote, type StoredSeal } from '../sealing/stored-seal.ts';
import { TreeEdge } from '../tree/tree-edge.ts';
import { type BadRange, missingAfter, rangeOf, type SealFault } from './bad-range.ts';

interface Check {
  readonly seal: StoredSeal;
  readonly before: StoredSeal | undefined;
  readonly keys: readonly VerifierKey[];
  readonly drops: Dropped;
  /** See {@link firstLineLeft}. */
  readonly left: bigint | null;
}

/** What is wrong with a seal or its lines, or how many lines were compared. */
interface CheckedSeal {
  readonly range?: BadRange;
  readonly lineCount: number;
}

/** Whether a drop left no line of a seal. */
export const isGone = ({ drops }: Dropped, number: number): boolean =>
  drops.some(({ gone }) => gone !== null && number >= gone.first && number <= gone.last);

/** Compares a seal with the one before, and its lines with both. */
export async function checkSeal(
  db: Kysely<Tables>,
  { seal, before, keys, drops, left }: Check,
): Promise<CheckedSeal> {
  const bad = (range: BadRange) => ({ range, lineCount: 0 });
  const expected = (before?.number ?? 0) + 1;
  if (seal.number !== expected)
    return bad({ ...missingAfter(before, expected), lastId: (seal.statement?.firstId ?? 0n) - 1n });
  const fault = faultOfNote(seal, keys) ?? (goesOn(seal, before) ? undefined : 'broken_chain');
  if (fault) return bad(rangeOf(seal, fault));
  const range = { after: before?.lastId ?? BEFORE_ALL, through: seal.lastId };
  const edge = before?.edge?.copy() ?? TreeEdge.empty();
  const sealedCount = (seal.edge?.size ?? 0) - edge.size;
  if (isGone(drops, seal.number)) {
    if (left === null || left > seal.lastId) return { lineCount: 0 };
    return bad({ ...rangeOf(seal, 'lines_left'), sealedCount, foundCount: await countLines(db, range) });
  }
  let [count, foundCount, leftCount] = [0, 0, 0];
  for await (const { hash, leaf, isLeft } of readSealed(db, range, drops.border)) {
    count += 1;
    if (leaf) foundCount += 1;
    if (isLeft) leftCount += 1;
    if (count <= sealedCount) edge.add(hash);
  }
  if (leftCount === 0 && count === sealedCount && edge.root() === seal.statement?.root)
    return { lineCount: foundCount };
  const ofLines = leftCount > 0 ? 'lines_left' : faultOfLines(sealedCount, count);
  return bad({ ...rangeOf(seal, ofLines), sealedCount, foundCount: leftCount > 0 ? leftCount : count });
}

/** What is wrong with a seal itself, wherever it stands. */
export function checkNote(
  seal: StoredSeal | undefined,
  number: number,
  keys: readonly VerifierKey[],
): BadRange | undefined {
  if (!seal) return missingAfter(undefined, number);
  const fault = faultOfNote(seal, keys);
  return fault && rangeOf(seal, fault);
}

interface Page {
  readonly seals: readonly StoredSeal[];
  readonly before: StoredSeal | undefined;
  readonly drops: Dropped;
}

/** The first line that is there although no line of its seal should be; null for none. One look for a page of seals. */
export async function firstLineLeft(
  db: Kysely<Tables>,
  { seals, before, drops }: Page,
): Promise<bigint | null> {
  const first = seals.findIndex(({ number }) => isGone(drops, number));
  const last = seals.findLast(({ number }) => isGone(drops, number));
  if (!last) return null;
  const after = (first === 0 ? before : seals[first - 1])?.lastId ?? BEFORE_ALL;
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from access_log where id > ${after} and id <= ${last.lastId}`.execute(db);
  const id = rows[0]?.id ?? null;
  return id === null ? null : BigInt(id);
}

async function countLines(db: Kysely<Tables>, { after, through }: LineRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from access_log where id > ${after} and id <= ${through}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether the row is what its note states, and a key signed that. */
function faultOfNote(seal: StoredSeal, keys: readonly VerifierKey[]): SealFault | undefined {
  const opened = openNote(seal.note, keys);
  if (opened.kind !== 'signed') return opened.kind;
  const { statement, edge } = seal;
  const isAsStated =
    statement?.number === seal.number && statement.lastId === seal.lastId && edge?.root() === statement.root;
  return isAsStated ? undefined : 'forged';
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
