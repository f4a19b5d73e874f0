import type { Store } from '../../open-store.ts';
import { type Dropped, readDrops } from '../dropped/stored-drop.ts';
import type { DropStatement } from '../note/drop-text.ts';
import type { VerifierKey } from '../note/verifier-key.ts';
import { sealAt, sealsAfter } from '../sealing/stored-seal.ts';
import { type BadRange, rangeOfDrop } from './bad-range.ts';
import { checkNote, checkSeal, firstLineLeft, isGone } from './check-seal.ts';

export interface SealVerification {
  readonly keys: readonly VerifierKey[];
  /** The seal up to which all is verified; 0 to begin. */
  readonly after: number;
  /** The last seal to verify; otherwise the newest. */
  readonly through?: number;
  /** Ends behind the seal with which so many lines are read. */
  readonly lineCountMax?: number;
}

/** How far it came. */
interface Verified {
  /** The last seal that was verified. */
  readonly through: number;
  /** The seals whose lines were compared, and these lines. */
  readonly sealCount: number;
  readonly lineCount: number;
  /** What was dropped and signed off, up to that seal or the one at fault. */
  readonly dropped: readonly DropStatement[];
}

export type SealsVerdict =
  /** `isEnd`: no seal follows. */
  | (Verified & { readonly kind: 'verified'; readonly isEnd: boolean })
  | (Verified & { readonly kind: 'bad'; readonly range: BadRange });

const SEALS_PER_PAGE = 100;

/** Seals without lines that take as long as {@link SealVerification.lineCountMax} lines of a page. */
const GONE_COUNT_MAX = 5_000;

/**
 * Reads the lines of seal after seal and compares them with what was signed, as far as one call goes. Needs public keys
 * alone: nothing that the database states counts unless a signature says so. Of lines that were dropped it takes the
 * signed record, and goes on with their seals.
 */
export async function verifySeals(
  { db }: Pick<Store, 'db'>,
  {
    keys,
    after,
    through: end = Number.POSITIVE_INFINITY,
    lineCountMax = Number.POSITIVE_INFINITY,
  }: SealVerification,
): Promise<SealsVerdict> {
  let before = after === 0 ? undefined : await sealAt(db, after);
  let [through, sealCount, lineCount, goneCount] = [after, 0, 0, 0];
  const read = await readDrops(db, keys);
  if (read.kind === 'bad') {
    const range = rangeOfDrop(read.drop, read.fault);
    return { kind: 'bad', through, sealCount, lineCount, dropped: [], range };
  }
  let drops: Dropped = read;
  const verified = (last = through): Verified => ({
    through,
    sealCount,
    lineCount,
    dropped: drops.drops.filter(({ lastSeal }) => lastSeal > after && lastSeal <= last),
  });
  // The one before is verified too, without its lines: this call goes on from what it states.
  const known = after === 0 ? undefined : checkNote(before, after, keys);
  if (known) return { kind: 'bad', ...verified(), through: 0, range: known };
  while (through < end) {
    const seals = await sealsAfter(db, through, Math.min(SEALS_PER_PAGE, end - through));
    const left = await firstLineLeft(db, { seals, before, drops });
    for (const seal of seals) {
      let found = await checkSeal(db, { seal, before, keys, drops, left });
      if (found.range?.fault === 'lines_removed') {
        // They may have been dropped since the records were read.
        const later = await readDrops(db, keys);
        if (later.kind === 'read' && later.drops.length > drops.drops.length) {
          drops = later;
          found = await checkSeal(db, { seal, before, keys, drops, left: null });
        }
      }
      if (found.range) return { kind: 'bad', ...verified(seal.number), range: found.range };
      if (isGone(drops, seal.number)) goneCount += 1;
      else {
        sealCount += 1;
        lineCount += found.lineCount;
      }
      through = seal.number;
      before = seal;
      const isEnough = lineCount >= lineCountMax || (goneCount >= GONE_COUNT_MAX && lineCountMax < Infinity);
      if (isEnough) return { kind: 'verified', ...verified(), isEnd: false };
    }
    if (seals.length < SEALS_PER_PAGE) break;
  }
  return { kind: 'verified', ...verified(), isEnd: true };
}
