import type { DatedPeriod } from '../answer/eligibility-answer.ts';
import type { Period } from '../answer/parse-x12-date.ts';

/** DTP01 in the order in which they are believed: plan begin and end, plan, eligibility begin and end, eligibility. */
const STARTS = ['346', '347', '291', '356', '357', '307'];
const ENDS = ['347', '346', '291', '357', '356', '307'];

/** DTP01 whose single day is a last one. */
const END_ONLY: ReadonlySet<string> = new Set(['347', '357']);

const OPEN: Period = { start: null, end: null };

/**
 * First and last day of a coverage from the DTP of one loop, in the order of eligibility.md. A range tells both,
 * whatever its qualifier; of two with one qualifier the first is believed.
 */
export function planPeriod(dates: readonly DatedPeriod[]): Period {
  if (dates.length === 0) return OPEN;
  let start: string | null = null;
  let end: string | null = null;
  let startRank = STARTS.length;
  let endRank = ENDS.length;
  for (const date of dates) {
    const rank = STARTS.indexOf(date.qualifier);
    if (rank === -1) continue;
    const isEnd = END_ONLY.has(date.qualifier) && date.end === null;
    if (rank < startRank && date.start !== null && !isEnd) {
      start = date.start;
      startRank = rank;
    }
    const last = isEnd ? date.start : date.end;
    const rankAsEnd = ENDS.indexOf(date.qualifier);
    if (rankAsEnd < endRank && last !== null) {
      end = last;
      endRank = rankAsEnd;
    }
  }
  return { start, end: isNoEnd(end) ? null : end };
}

/** What the inner loop (2110) leaves open, the outer one (2100) tells, unless both together would end before they start. */
export function withOuter(inner: Period, outer: Period): Period {
  const start = inner.start ?? outer.start;
  const end = inner.end ?? outer.end;
  return start !== null && end !== null && end < start && (inner.start === null || inner.end === null)
    ? inner
    : { start, end };
}

/** Whether the service date lies outside. An open side excludes nothing. */
export function excludes({ start, end }: Period, serviceDate: string): boolean {
  return (start !== null && serviceDate < start) || (end !== null && serviceDate > end);
}

/** Payers write the last year there is for a coverage without an end. */
function isNoEnd(date: string | null): boolean {
  return date !== null && date.startsWith('9999');
}
