import type { Store } from '../open-store.ts';
import {
  type BadRange,
  type ChainedSeal,
  checkNote,
  checkSeal,
  compareLines,
  findLinesLeft,
  rangeOfDrop,
} from './check-seal.ts';
import type { VerifierKey } from './keys.ts';
import type { DropStatement } from './note-text.ts';
import { BEFORE_ALL } from './pages.ts';
import { readDrops } from './stored-drop.ts';
import { sealAt, sealsAfter, type StoredSeal } from './stored-seal.ts';

interface SealVerification {
  readonly keys: readonly VerifierKey[];
  /** The seal up to which all is verified; 0 to begin. */
  readonly after: number;
  /** The last seal to verify; otherwise the newest. */
  readonly through?: number;
  /** Ends after the seal with which so many lines are read. */
  readonly lineCountMax?: number;
}

/** Seals in a row that were made while the same tables were not as the schema makes them. */
export interface AlteredWhenSealed {
  readonly firstSeal: number;
  readonly lastSeal: number;
  /** As the seals state them, such as `staff:rules`. */
  readonly tables: readonly string[];
}

/** How far it came. */
interface Verified {
  /** The last seal that was verified. */
  readonly through: number;
  /** The seals whose lines were compared, and these lines. */
  readonly sealCount: number;
  readonly lineCount: number;
  /** Of the seals up to that one: lines whose time is not when they were written, as the seals state it. */
  readonly misdatedCount: number;
  /** Of the same seals: where the sealing process saw other tables than the schema makes. */
  readonly altered: readonly AlteredWhenSealed[];
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
 * signed record, and continues with their seals.
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
  let [through, sealCount, lineCount, misdatedCount, goneCount] = [after, 0, 0, 0, 0];
  const altered: AlteredWhenSealed[] = [];
  const read = await readDrops(db, keys);
  if (read.kind === 'bad') {
    const range = rangeOfDrop(read.drop, read.fault);
    return { kind: 'bad', through, sealCount, lineCount, misdatedCount, altered, dropped: [], range };
  }
  let { drops } = read;
  /** Oldest first: all seals up to the last that was dropped. */
  const isGone = (number: number) => number <= (drops.at(-1)?.lastSeal ?? 0);
  const verified = (last = through): Verified => ({
    through,
    sealCount,
    lineCount,
    misdatedCount,
    altered,
    dropped: drops.filter(({ lastSeal }) => lastSeal > after && lastSeal <= last),
  });
  // The one before is verified too, without its lines: this call continues from its statement.
  const known = after === 0 ? undefined : checkNote(before, after, keys);
  if (known) return { kind: 'bad', ...verified(), through: 0, range: known };
  const left = await findLinesLeft(db, drops, before?.lastId ?? BEFORE_ALL);
  const compare = async (chained: ChainedSeal): Promise<BadRange | undefined> => {
    const compared = await compareLines(db, chained);
    if (compared.range?.fault === 'lines_removed') {
      // They may have been dropped since the records were read.
      const later = await readDrops(db, keys);
      if (later.kind === 'read') ({ drops } = later);
      if (isGone(chained.seal.number)) return undefined;
    }
    lineCount += compared.lineCount;
    if (!compared.range) sealCount += 1;
    return compared.range;
  };
  while (through < end) {
    const seals = await sealsAfter(db, through, Math.min(SEALS_PER_PAGE, end - through));
    for (const seal of seals) {
      let bad = checkSeal({ seal, before }, keys);
      if (!bad && !isGone(seal.number)) bad = await compare({ seal, before });
      else if (left?.number === seal.number) bad ??= left;
      if (bad) return { kind: 'bad', ...verified(seal.number), range: bad };
      if (isGone(seal.number)) goneCount += 1;
      misdatedCount += seal.statement?.misdatedCount ?? 0;
      noteTables(altered, seal);
      through = seal.number;
      before = seal;
      const isEnough = lineCount >= lineCountMax || (goneCount >= GONE_COUNT_MAX && lineCountMax < Infinity);
      if (isEnough) return { kind: 'verified', ...verified(), isEnd: false };
    }
    if (seals.length < SEALS_PER_PAGE) break;
  }
  return { kind: 'verified', ...verified(), isEnd: true };
}

/** Adds a seal to the last range where it states the same, so that a day of them is one. */
function noteTables(altered: AlteredWhenSealed[], { number, statement }: StoredSeal): void {
  const tables = statement?.tables ?? [];
  if (tables.length === 0) return;
  const last = altered.at(-1);
  if (last?.lastSeal === number - 1 && last.tables.join(' ') === tables.join(' '))
    altered[altered.length - 1] = { ...last, lastSeal: number };
  else altered.push({ firstSeal: number, lastSeal: number, tables });
}
