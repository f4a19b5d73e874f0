import type { Period } from '../../parts/parse-x12-date.ts';
import { type DatedPeriod } from '../../parts/parts.ts';

/** DTP01 by priority: plan begin and end, plan, eligibility begin and end, eligibility. */
const STARTS = ['346', '347', '291', '356', '357', '307'];
const ENDS = ['347', '346', '291', '357', '356', '307'];

/** DTP01 whose single day is a last day. */
const END_ONLY: ReadonlySet<string> = new Set(['347', '357']);

/** The rank of a DTP01: 0 for dates of the plan or the eligibility, 1 for what may be just the days asked about. */
const KINDS: ReadonlyMap<string, number> = new Map([
  ['346', 0],
  ['347', 0],
  ['291', 0],
  ['356', 0],
  ['357', 0],
  ['307', 1],
]);

/** No date at all. */
const NO_KIND = 2;

export interface PlanPeriod extends Period {
  /** The best rank among its dates, from 0. */
  readonly kind: number;
}

const OPEN: PlanPeriod = { start: null, end: null, kind: NO_KIND };

/**
 * First and last day of a coverage from the DTPs of one loop, by the priority of STARTS and ENDS. A range gives both,
 * whatever its qualifier; of two with the same qualifier the one around the service date wins, else the first.
 */
export function planPeriod(
  dates: readonly DatedPeriod[],
  serviceDate: string,
  kindMax = NO_KIND,
): PlanPeriod {
  if (dates.length === 0) return OPEN;
  let start: string | null = null;
  let end: string | null = null;
  let startRank = STARTS.length;
  let endRank = ENDS.length;
  let best = NO_KIND;
  for (const date of dates) {
    const kind = KINDS.get(date.qualifier);
    if (kind === undefined || kind > kindMax) continue;
    best = Math.min(best, kind);
    const isEnd = END_ONLY.has(date.qualifier) && date.end === null;
    const rank = STARTS.indexOf(date.qualifier);
    if (rank < startRank && date.start !== null && !isEnd) {
      start = date.start;
      startRank = rank;
    }
    const last = isEnd ? date.start : date.end;
    const rankAsEnd = ENDS.indexOf(date.qualifier);
    const isAnother = rank === startRank && rankAsEnd === endRank && date.end !== null;
    if (isAnother && excludes({ start, end }, serviceDate) && !excludes(date, serviceDate))
      ({ start, end } = date);
    if (rankAsEnd < endRank && last !== null) {
      end = last;
      endRank = rankAsEnd;
    }
  }
  return { start: isNoBegin(start) ? null : start, end: isNoEnd(end) ? null : end, kind: best };
}

/**
 * The outer loop (2100) fills what the inner one (2110) leaves open, unless the result would end before it starts.
 * But for its 307: those are the days that were asked about, as Medicare and others echo them, and they neither begin nor
 * end what has dates of its own.
 */
export function withOuter(
  { start, end, kind }: PlanPeriod,
  outerDates: readonly DatedPeriod[],
  serviceDate: string,
): Period {
  const outer = planPeriod(outerDates, serviceDate, kind === NO_KIND ? NO_KIND : 0);
  const both = { start: start ?? outer.start, end: end ?? outer.end };
  const isReversed = both.start !== null && both.end !== null && both.end < both.start;
  return isReversed && (start === null || end === null) ? { start, end } : both;
}

/** Whether the service date lies outside the period. An open side excludes nothing. */
export function excludes({ start, end }: Period, serviceDate: string): boolean {
  return (start !== null && serviceDate < start) || (end !== null && serviceDate > end);
}

/** Mainframes write their first year when they know none. */
function isNoBegin(date: string | null): boolean {
  return date !== null && date.startsWith('0001');
}

/** Payers write the last possible year for a coverage without an end. */
function isNoEnd(date: string | null): boolean {
  return date !== null && date.startsWith('9999');
}
