import type { Kysely } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { BEFORE_ALL } from '../lines/pages.ts';
import { readLeaves } from '../lines/read-leaves.ts';
import type { VerifierKey } from '../note/keys.ts';
import { openNote } from '../note/signed-note.ts';
import { hashOfNote, type StoredSeal } from '../sealing/stored-seal.ts';
import { hashOf, TreeEdge } from '../tree.ts';
import { type BadRange, missingAfter, rangeOf, type SealFault } from './bad-range.ts';

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

/** Whether the row is what its note states, whoever signed that. */
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
