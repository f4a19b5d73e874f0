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

interface Family {
  readonly begin: BenefitDateKind;
  readonly end: BenefitDateKind | null;
}

/** Dates of a plan that limit a row; the first family with a period decides. Without an end kind, one kind gives both sides. */
const FAMILIES: readonly Family[] = [
  { begin: 'plan_begin', end: 'plan_end' },
  { begin: 'policy_effective', end: 'policy_expiration' },
  { begin: 'eligibility_begin', end: 'eligibility_end' },
  { begin: 'plan', end: null },
  { begin: 'eligibility', end: null },
];
const BENEFIT: Family = { begin: 'benefit_begin', end: 'benefit_end' };

/**
 * Reads the days of a row for a service or a code, in whatever order its dates come. The first family with a period gives
 * its days; an open one ends with another family's end. A benefit period (348, 349) that is over or has not begun ends
 * the service whatever its plan's days are. The benefit year (292) ends nothing; COBRA (341) ends what nothing else ends.
 * @param around the dates of the loop around (2100), where they count: for a row without days, or with an open end
 */
export function daysOfRow(
  dates: readonly BenefitDate[],
  day: string,
  around: readonly BenefitDate[] = [],
): RowDays {
  if (dates.length + around.length === 0) return ALWAYS;
  const period = statedPeriod(dates, around, day);
  if (period !== null && excludesDay(period, day)) return { time: timeOf(period, day), period };
  const ofBenefit = [dates, around]
    .map((loop) => periodsOf(loop, BENEFIT, day))
    .find(({ length }) => length > 0);
  const benefit = period === null || ofBenefit === undefined ? null : chosenPeriod(ofBenefit, day);
  if (benefit !== null && excludesDay(benefit, day)) return { time: timeOf(benefit, day), period: benefit };
  return endedBy([...dates, ...around], period ?? OPEN, day);
}

/**
 * Reads the days of a row for the plan's status. Next to other dates a whole pair of 348 and 349 is a benefit period and
 * ends no plan; a 349 without its 348 ends what is open.
 */
export function daysOfPlanRow(dates: readonly BenefitDate[], day: string): RowDays {
  if (dates.length === 0) return ALWAYS;
  const period = statedPeriod(dates, [], day) ?? OPEN;
  if (excludesDay(period, day)) return { time: timeOf(period, day), period };
  return endedBy(dates, period, day);
}

/** The period of the first family; null without one. */
function statedPeriod(
  dates: readonly BenefitDate[],
  around: readonly BenefitDate[],
  day: string,
): Days | null {
  for (const loop of [dates, around]) {
    const index = FAMILIES.findIndex((family) => periodsOf(loop, family, day).length > 0);
    const family = FAMILIES[index];
    if (!family) continue;
    const { start, end } = chosenPeriod(periodsOf(loop, family, day), day) ?? OPEN;
    if (end !== null) return { start, end };
    const ends = [
      ...FAMILIES.slice(index + 1).flatMap((other) => endOf(loop, other, day)),
      ...loneEnds(dates, day),
      ...(loop === around ? loneEnds(around, day) : []),
    ];
    const outer = loop === around ? [] : FAMILIES.flatMap((other) => endOf(around, other, day));
    return { start, end: firstEnd(ends, start) ?? firstEnd(outer, start) };
  }
  for (const loop of [dates, around]) {
    const period = chosenPeriod(periodsOf(loop, BENEFIT, day), day);
    if (period !== null) return period;
  }
  return null;
}

function endOf(dates: readonly BenefitDate[], family: Family, day: string): readonly string[] {
  const end = family.end && chosenPeriod(periodsOf(dates, family, day), day)?.end;
  return end ? [end] : [];
}

/** The 349s that no 348 begins. */
function loneEnds(dates: readonly BenefitDate[], day: string): readonly string[] {
  return periodsOf(dates, BENEFIT, day).flatMap(({ start, end }) =>
    start === null && end !== null ? [end] : [],
  );
}

/** The first that is not before the begin. */
function firstEnd(ends: readonly string[], start: string | null): string | null {
  return ends.filter((end) => start === null || end >= start).toSorted()[0] ?? null;
}

/** Death ends any period, COBRA (341) one that nothing else ends. */
function endedBy(dates: readonly BenefitDate[], period: Days, day: string): RowDays {
  for (const { kind, start, end } of dates) {
    const last = end ?? start;
    const isLast = kind === 'death' || (kind === 'cobra_end' && period.end === null);
    if (isLast && last !== null && last < day) return { time: 'past', period: { start: null, end: last } };
  }
  return { time: 'now', period };
}

/** Whether the times that an amount was counted over (193, 194), or its benefit years (292), are all other ones. */
export function isOfAnotherTime(dates: readonly BenefitDate[], day: string): boolean {
  const isOther = (family: Family) => {
    const periods = periodsOf(dates, family, day);
    return periods.length > 0 && periods.every((period) => excludesDay(period, day));
  };
  return (
    dates.length > 0 &&
    (isOther({ begin: 'period_start', end: 'period_end' }) || isOther({ begin: 'benefit', end: null }))
  );
}

function timeOf({ start }: Days, day: string): RowTime {
  return start !== null && day < start ? 'future' : 'past';
}

function periodsOf(dates: readonly BenefitDate[], { begin, end }: Family, day: string): readonly Days[] {
  const days: Days[] = [];
  for (const date of dates)
    if (isMirrored(date, day)) continue;
    else if (date.kind === end && date.end === null) days.push({ start: null, end: date.start });
    else if (date.kind === begin || date.kind === end) days.push(date);
  return joinPeriods(days);
}

/** RFI 1557: the day that we asked about is no date of the plan. */
function isMirrored({ kind, start, end }: BenefitDate, day: string): boolean {
  return (kind === 'plan' || kind === 'eligibility') && start === day && (end === null || end === day);
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
