import type { DatedPeriod } from '../answer/eligibility-answer.ts';
import type { Period } from '../answer/parse-x12-date.ts';

/** DTP01 in the order in which they are believed: plan begin and end, plan, eligibility begin and end, eligibility. */
const STARTS = ['346', '347', '291', '356', '357', '307'];
const ENDS = ['347', '346', '291', '357', '356', '307'];

/** DTP01 whose single day is a last one. */
const END_ONLY: ReadonlySet<string> = new Set(['347', '357']);

/**
 * First and last day of a coverage from the DTP of one loop, in the order of eligibility.md. A range tells both,
 * whatever its qualifier.
 */
export function planPeriod(dates: readonly DatedPeriod[]): Period {
  const first = (qualifiers: readonly string[], dayOf: (date: DatedPeriod) => string | null) => {
    for (const qualifier of qualifiers) {
      for (const date of dates) {
        const day = date.qualifier === qualifier ? dayOf(date) : null;
        if (day !== null) return day;
      }
    }
    return null;
  };
  const end = first(ENDS, (date) => date.end ?? (END_ONLY.has(date.qualifier) ? date.start : null));
  return {
    start: first(STARTS, (date) => (END_ONLY.has(date.qualifier) && date.end === null ? null : date.start)),
    end: isNoEnd(end) ? null : end,
  };
}

/** What the inner loop (2110) leaves open, the outer one (2100) tells, unless both together would end before they start. */
export function withOuter(inner: Period, outer: Period): Period {
  const start = inner.start ?? outer.start;
  const end = inner.end ?? outer.end;
  return start !== null && end !== null && end < start && (inner.start === null || inner.end === null)
    ? inner
    : { start, end };
}

/** Payers write the last year there is for a coverage without an end. */
function isNoEnd(date: string | null): boolean {
  return date !== null && date.startsWith('9999');
}
