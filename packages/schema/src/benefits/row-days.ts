import type { BenefitDateKind } from './benefit-terms.ts';
import type { BenefitDate } from './benefit.ts';

/** When a row holds: on the service date, or only before or after it. */
export type RowTime = 'now' | 'past' | 'future';

/** The days of a row: `period` is the one that decides, such as the period that is over; open without one. */
export interface RowDays {
  readonly time: RowTime;
  readonly period: Days;
}

const OPEN: Days = { start: null, end: null };
const ALWAYS: RowDays = { time: 'now', period: OPEN };

/** Dates that limit a row. Without an end kind, one kind gives both sides. */
const FAMILIES: readonly { readonly begin: BenefitDateKind; readonly end: BenefitDateKind | null }[] = [
  { begin: 'plan_begin', end: 'plan_end' },
  { begin: 'policy_effective', end: 'policy_expiration' },
  { begin: 'eligibility_begin', end: 'eligibility_end' },
  { begin: 'plan', end: null },
  { begin: 'eligibility', end: null },
  { begin: 'benefit_begin', end: 'benefit_end' },
];

/**
 * Reads the days of a row from its own dates, in whatever order they come. It holds on a day that each family with periods
 * holds, by one of them. The benefit year (292) ends nothing; COBRA (341) ends what nothing else ends.
 */
export function daysOfRow(dates: readonly BenefitDate[], day: string): RowDays {
  if (dates.length === 0) return ALWAYS;
  let isEnded = false;
  let held = OPEN;
  for (const { begin, end } of FAMILIES) {
    const periods = periodsOf(dates, begin, end);
    if (periods.length === 0) continue;
    const period = chosenPeriod(periods, day) ?? OPEN;
    if (excludesDay(period, day)) return { time: timeOf(period, day), period };
    if (held === OPEN) held = period;
    if (period.end !== null) isEnded = true;
  }
  for (const { kind, start, end } of dates) {
    const last = end ?? start;
    const isLast = kind === 'death' || (kind === 'cobra_end' && !isEnded);
    if (isLast && last !== null && last < day) return { time: 'past', period: { start: null, end: last } };
  }
  return { time: 'now', period: held };
}

/**
 * Reads the days of a row for the plan's status. Next to other dates a whole pair of 348 and 349 is a benefit period and
 * ends no plan; a 349 without its 348 ends what is open.
 */
export function daysOfPlanRow(dates: readonly BenefitDate[], day: string): RowDays {
  const isOfBenefit = ({ kind }: BenefitDate) => kind === 'benefit_begin' || kind === 'benefit_end';
  if (!dates.some(isOfBenefit) || dates.every((date) => isOfBenefit(date) || date.kind === 'benefit'))
    return daysOfRow(dates, day);
  const days = daysOfRow(
    dates.filter((date) => !isOfBenefit(date)),
    day,
  );
  const { start, end } = days.period;
  if (days.time !== 'now' || end !== null) return days;
  const isOver = (one: Days) =>
    one.start === null && one.end !== null && one.end < day && one.end >= (start ?? '');
  const over = periodsOf(dates, 'benefit_begin', 'benefit_end').find(isOver);
  return over ? { time: 'past', period: { start, end: over.end } } : days;
}

/** Whether the times that an amount was counted over (193, 194), or its benefit years (292), are all other ones. */
export function isOfAnotherTime(dates: readonly BenefitDate[], day: string): boolean {
  const isOther = (begin: BenefitDateKind, end: BenefitDateKind | null) => {
    const periods = periodsOf(dates, begin, end);
    return periods.length > 0 && periods.every((period) => excludesDay(period, day));
  };
  return dates.length > 0 && (isOther('period_start', 'period_end') || isOther('benefit', null));
}

function timeOf({ start }: Days, day: string): RowTime {
  return start !== null && day < start ? 'future' : 'past';
}

function periodsOf(
  dates: readonly BenefitDate[],
  begin: BenefitDateKind,
  end: BenefitDateKind | null,
): readonly Days[] {
  const days: Days[] = [];
  for (const date of dates)
    if (date.kind === end && date.end === null) days.push({ start: null, end: date.start });
    else if (date.kind === begin || date.kind === end) days.push(date);
  return joinPeriods(days);
}

/** Mainframes write the last year for no end. */
const LAST_YEAR = '9999';

/** The period that holds the day, of several the one that begins last; else the last before it, else the next. */
export function chosenPeriod(periods: readonly Days[], day: string): Days | null {
  if (periods.length < 2) return periods[0] ?? null;
  const first = (some: readonly Days[], compare: (one: Days, other: Days) => number) =>
    some.toSorted(compare)[0] ?? null;
  const byStart = (one: Days, other: Days) => compareDays(one.start ?? '', other.start ?? '');
  const byEnd = (one: Days, other: Days) => compareDays(one.end ?? LAST_YEAR, other.end ?? LAST_YEAR);
  const holding = periods.filter((period) => !excludesDay(period, day));
  const past = periods.filter(({ end }) => end !== null && end < day);
  return (
    first(holding, (one, other) => byStart(other, one) || byEnd(one, other)) ??
    first(past, (one, other) => byEnd(other, one) || byStart(other, one)) ??
    first(periods, (one, other) => byStart(one, other) || byEnd(one, other))
  );
}

function compareDays(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** First and last day, `YYYY-MM-DD`. A null side is open. */
export interface Days {
  readonly start: string | null;
  readonly end: string | null;
}

/** Whether the day is outside of the period. An open side excludes nothing. */
export function excludesDay({ start, end }: Days, day: string): boolean {
  return (start !== null && day < start) || (end !== null && day > end);
}

/**
 * The periods of dates that belong together, such as all plan begins and plan ends of one loop: a range is a period, a
 * begin takes the next end before the next begin, and what is left over is open on one side. The order of the dates does
 * not matter.
 */
export function joinPeriods(dates: readonly Days[]): readonly Days[] {
  if (dates.length < 2) return dates;
  const periods: Days[] = [];
  const begins = new Set<string>();
  const ends = new Set<string>();
  for (const { start, end } of dates) {
    if (start !== null && end !== null) periods.push({ start, end });
    else if (start !== null) begins.add(start);
    else if (end !== null) ends.add(end);
  }
  for (const { start } of periods) if (start !== null) begins.delete(start); // sent twice, once with its end
  const starts = [...begins].toSorted();
  const sortedEnds = [...ends].toSorted();
  let next = 0;
  for (const [index, start] of starts.entries()) {
    const following = starts[index + 1];
    while (sortedEnds[next] !== undefined && (sortedEnds[next] ?? '') < start)
      periods.push({ start: null, end: sortedEnds[next++] ?? null });
    const end = sortedEnds[next];
    const isOwn = end !== undefined && (following === undefined || end < following);
    if (isOwn) next += 1;
    periods.push({ start, end: isOwn ? end : null });
  }
  for (const end of sortedEnds.slice(next)) periods.push({ start: null, end });
  return periods;
}
