import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../tables.ts';
import { idOfLeaf } from '../lines/line-record.ts';
import { BEFORE_ALL } from '../lines/pages.ts';
import { readLeaves } from '../lines/read-leaves.ts';
import type { DropStatement } from '../note/drop-text.ts';
import type { VerifierKey } from '../note/verifier-key.ts';
import { hashOfNote } from '../sealing/stored-seal.ts';
import { hashOf } from '../tree/tree-hash.ts';
import type { BadRange } from '../verifying/bad-range.ts';
import { verifySeals } from '../verifying/verify-seals.ts';
import { archiveParts } from './archive-month.ts';
import { type BorderLine, readBorder, writeBorder } from './border.ts';
import type { DropPlan } from './plan-drop.ts';
import type { StoredDrop } from './stored-drop.ts';

/** What the record of a drop states but for its number, the time and who. */
export interface PreparedDrop {
  readonly statement: Omit<DropStatement, 'number' | 'at' | 'by'>;
  readonly border: Buffer;
}

export type DropPreparation =
  | { readonly kind: 'prepared'; readonly prepared: PreparedDrop }
  /** The lines, or those of a seal before them, are not as they were sealed: nothing may go that is evidence. */
  | { readonly kind: 'not_as_sealed'; readonly range: BadRange }
  /** The archive has other lines than the database. */
  | { readonly kind: 'other_archive' }
  /** Too many of the month's lines lie behind this one of a later month. */
  | { readonly kind: 'entangled'; readonly id: bigint };

interface Preparation {
  readonly plan: DropPlan;
  readonly keys: readonly VerifierKey[];
  /** SHA-256 of the archive, in hexadecimal. */
  readonly archive: string;
  readonly borderCountMax?: number;
}

/** Lines at the border: 40 bytes each in the table, and a seal holds 100,000 at most. */
const BORDER_COUNT_MAX = 500_000;

/** Makes sure that a month's lines are as they were sealed and are in the archive, every one. */
export async function prepareDrop(
  db: Kysely<Tables>,
  { plan, keys, archive, borderCountMax = BORDER_COUNT_MAX }: Preparation,
): Promise<DropPreparation> {
  const bad = await findBadRange(db, { keys, before: plan.before, through: plan.lastSeal.number });
  if (bad) return { kind: 'not_as_sealed', range: bad };
  const { lines, firstSeal, lastSeal, lastGone } = plan;
  const border = await borderOf(db, plan, borderCountMax);
  if (border.length > borderCountMax) return { kind: 'entangled', id: lines.firstLater ?? lines.lastId };
  const sha256 = createHash('sha256');
  let lineCount = 0;
  for await (const part of archiveParts(db, lines)) {
    sha256.update(part.text);
    lineCount += part.lineCount;
  }
  if (sha256.digest('hex') !== archive) return { kind: 'other_archive' };
  const bytes = writeBorder(border);
  const firstGone = (plan.before?.statement?.gone?.last ?? 0) + 1;
  const statement = {
    origin: lastSeal.statement?.origin ?? '',
    month: plan.month,
    lineCount,
    firstId: lines.firstId,
    lastId: lines.lastId,
    firstSeal: firstSeal.number,
    lastSeal: lastSeal.number,
    sealHash: hashOfNote(lastSeal.note),
    gone: lastGone && lastGone.number >= firstGone ? { first: firstGone, last: lastGone.number } : null,
    borderHash: hashOf(bytes),
    archive,
  };
  return { kind: 'prepared', prepared: { statement, border: bytes } };
}

interface Verification {
  readonly keys: readonly VerifierKey[];
  readonly before: StoredDrop | undefined;
  readonly through?: number;
}

/** Verifies what a drop would put out of reach; whatever the drop before left out was verified then. */
export async function findBadRange(
  db: Kysely<Tables>,
  { keys, before, through }: Verification,
): Promise<BadRange | undefined> {
  const after = before?.statement?.gone?.last ?? 0;
  const verdict = await verifySeals({ db }, { keys, after, ...(through !== undefined && { through }) });
  return verdict.kind === 'bad' ? verdict.range : undefined;
}

/**
 * The hashes of the lines behind the last seal that goes whole, with those that an earlier drop left there: all of them,
 * or one more than the most that there may be.
 */
async function borderOf(
  db: Kysely<Tables>,
  { lines, lastGone, before }: DropPlan,
  countMax: number,
): Promise<BorderLine[]> {
  const goneThrough = lastGone?.lastId ?? BEFORE_ALL;
  const border = readBorder(before?.border ?? Buffer.alloc(0)).filter(({ id }) => id > goneThrough);
  const after = goneThrough > lines.range.after ? goneThrough : lines.range.after;
  for await (const leaf of readLeaves(db, { ...lines.range, after })) {
    border.push({ id: idOfLeaf(leaf), hash: hashOf(leaf) });
    if (border.length > countMax) break;
  }
  return border.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
