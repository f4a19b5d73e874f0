import type { Kysely } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { BEFORE_ALL } from './lines/pages.ts';
import { readLeaves } from './lines/read-leaves.ts';
import { openNote } from './note/signed-note.ts';
import type { VerifierKey } from './note/verifier-key.ts';
import { hashOfNote, sealAt, sealsAfter, type StoredSeal } from './stored-seal.ts';
import { TreeEdge } from './tree/tree-edge.ts';
import { hashOf } from './tree/tree-hash.ts';

export interface SealVerification {
  readonly keys: readonly VerifierKey[];
  /** The seal up to which all is verified; 0 to begin. */
  readonly after: number;
  /** Ends behind the seal with which so many lines are read. */
  readonly lineCountMax?: number;
}

/**
 * What is wrong with a range. `missing_seal`: its seals are gone. `forged`: the note is not what a key signed, or the
 * row says something else. `unknown_key`: none of the keys signed it. `broken_chain`: it does not go on from the seal
 * before. `lines_removed`, `lines_added`, `lines_changed`: its lines are not those that were sealed; as many, fewer or
 * more.
 */
export type SealFault =
  | 'missing_seal'
  | 'forged'
  | 'unknown_key'
  | 'broken_chain'
  | 'lines_removed'
  | 'lines_added'
  | 'lines_changed';

/** The first range that is not as it was sealed. */
export interface BadRange {
  readonly fault: SealFault;
  /** The seal at fault; of missing ones the first. */
  readonly number: number;
  readonly firstId: bigint;
  /** Null where no seal tells. */
  readonly lastId: bigint | null;
  /** As it was sealed, and as it is now; null where lines were not compared. */
  readonly sealedCount: number | null;
  readonly foundCount: number | null;
}

/** How far it came. */
interface Verified {
  /** The last seal that was verified. */
  readonly through: number;
  readonly sealCount: number;
  readonly lineCount: number;
}

export type SealsVerdict =
  /** `isEnd`: no seal follows. */
  | (Verified & { readonly kind: 'verified'; readonly isEnd: boolean })
  | (Verified & { readonly kind: 'bad'; readonly range: BadRange });

const SEALS_PER_PAGE = 100;

/**
 * Reads the lines of seal after seal and compares them with what was signed, as far as one call goes. Needs public keys
 * alone: nothing that the database states counts unless a signature says so.
 */
export async function verifySeals(
  { db }: Pick<Store, 'db'>,
  { keys, after, lineCountMax = Number.POSITIVE_INFINITY }: SealVerification,
): Promise<SealsVerdict> {
  let before = after === 0 ? undefined : await sealAt(db, after);
  let [through, sealCount, lineCount] = [after, 0, 0];
  // The one before is verified too, without its lines: this call goes on from what it states.
  const known = before && faultOfNote(before, keys);
  if (after > 0 && (!before || known))
    return {
      kind: 'bad',
      through: 0,
      sealCount,
      lineCount,
      range: { ...(before ? rangeOf(before) : missing(after, undefined)), fault: known ?? 'missing_seal' },
    };
  for (;;) {
    const seals = await sealsAfter(db, through, SEALS_PER_PAGE);
    for (const seal of seals) {
      const range = await checkSeal(db, { seal, before, keys });
      if (range) return { kind: 'bad', through, sealCount, lineCount, range };
      lineCount += (seal.edge?.size ?? 0) - (before?.edge?.size ?? 0);
      sealCount += 1;
      through = seal.number;
      before = seal;
      if (lineCount >= lineCountMax) return { kind: 'verified', through, sealCount, lineCount, isEnd: false };
    }
    if (seals.length < SEALS_PER_PAGE)
      return { kind: 'verified', through, sealCount, lineCount, isEnd: true };
  }
}

interface Check {
  readonly seal: StoredSeal;
  readonly before: StoredSeal | undefined;
  readonly keys: readonly VerifierKey[];
}

async function checkSeal(db: Kysely<Tables>, { seal, before, keys }: Check): Promise<BadRange | undefined> {
  const expected = (before?.number ?? 0) + 1;
  if (seal.number !== expected)
    return { ...missing(expected, before), lastId: (seal.statement?.firstId ?? 0n) - 1n };
  const fault = faultOfNote(seal, keys) ?? (goesOn(seal, before) ? undefined : 'broken_chain');
  if (fault) return { ...rangeOf(seal), fault };
  const edge = before?.edge?.copy() ?? TreeEdge.empty();
  const sealedCount = (seal.edge?.size ?? 0) - edge.size;
  let foundCount = 0;
  for await (const leaf of readLeaves(db, { after: before?.lastId ?? BEFORE_ALL, through: seal.lastId })) {
    foundCount += 1;
    if (foundCount <= sealedCount) edge.add(hashOf(leaf));
  }
  if (foundCount === sealedCount && edge.root() === seal.statement?.root) return undefined;
  return { ...rangeOf(seal), fault: faultOfLines(sealedCount, foundCount), sealedCount, foundCount };
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

const uncompared = { sealedCount: null, foundCount: null };

const missing = (number: number, before: StoredSeal | undefined): BadRange => ({
  fault: 'missing_seal',
  number,
  firstId: (before?.lastId ?? 0n) + 1n,
  lastId: null,
  ...uncompared,
});

/** As the row tells it, where the note cannot be read. */
const rangeOf = ({ number, statement, lastId }: StoredSeal): Omit<BadRange, 'fault'> => ({
  number,
  firstId: statement?.firstId ?? 0n,
  lastId,
  ...uncompared,
});
