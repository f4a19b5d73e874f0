import { chosenPeriod, joinPeriods } from '@insurance-verification/schema';
import { NONE, type DatedPeriod } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';

/** DTP01 of a begin and of its end. A range gives both, whatever its qualifier. */
interface Family {
  readonly begin: string;
  readonly end: string | null;
}

/**
 * The DTPs of a loop, family by family; the first with a period decides. 291 and 307 may echo the day that was asked
 * about, and count where they do not.
 *
 *     346, 347   the plan
 *     539, 540   the policy
 *     356, 357   the eligibility
 *     291        the plan, as a day or a range
 *     307        the eligibility, as a day or a range
 *     348, 349   the benefit, where neither loop has any of the others; else a 349 without a 348 in its loop ends what is
 *                open, as 347 does
 *     290        the coordination of benefits: of another payer (EB R) only, before the others
 *
 * Other dates end nothing: 292 is the benefit year, 343 a premium, 340 COBRA, 472 the service.
 */
const FAMILIES: readonly Family[] = [
  { begin: '346', end: '347' },
  { begin: '539', end: '540' },
  { begin: '356', end: '357' },
  { begin: '291', end: null },
  { begin: '307', end: null },
];
const BENEFIT: Family = { begin: '348', end: '349' };
const OTHER_PAYER: Family = { begin: '290', end: null };

/** The last day of COBRA. It ends a coverage that no other date ends. */
const COBRA_END = '341';

/** The day of death. */
export const DEATH = '442';

const OPEN: Period = { start: null, end: null };

/**
 * First and last day of a coverage, from the DTPs of its rows (loop 2110) and of the member (loop 2100). Of several
 * periods the one that holds the service date counts, else the last before it, else the next. The end is never before
 * the begin.
 *
 *     2110 has a period     that period, whole; open, it ends with 347, 357, 540 of 2110 or else of 2100
 *     2110 has none         the same of 2100
 *     neither has one       348 and 349, of 2110 or else of 2100
 *     349 without its 348   ends an open period of its loop, or one of 2100
 *     still open            ends with COBRA (341)
 *     the member died       ends on that day (442) at the latest
 */
export function coveragePeriod(
  rows: readonly (readonly DatedPeriod[])[],
  outer: readonly DatedPeriod[],
  serviceDate: string,
): Period {
  // Nearly all rows have only the benefit year after them.
  const dated = rows.filter(isCounted);
  if (dated.length === 0 && !isCounted(outer)) return OPEN;
  const inner = dated.length === 1 ? (dated[0] ?? NONE) : dated.flat();
  const period = statedPeriod(inner, outer, dated.flatMap(loneBenefitEnds), serviceDate);
  const all = outer.length === 0 ? inner : [...inner, ...outer];
  return closedByDeath(closedBy(period, all, COBRA_END), all);
}

/** The days that one row says by itself: of a procedure, of a row that may belong to a coverage. */
export function rowPeriod(dates: readonly DatedPeriod[], serviceDate: string): Period {
  return coveragePeriod([dates], NONE, serviceDate);
}

/** More than any payer sends: the dates of a loop count for each of its rows. */
const COUNTED_MAX = 100;

/** The dates of a loop (2100) that count for the days of its rows. */
export function countedDates(dates: readonly DatedPeriod[]): readonly DatedPeriod[] {
  if (dates.length <= COUNTED_MAX) return dates;
  return dates.filter(({ qualifier }) => COUNTED.has(qualifier)).slice(0, COUNTED_MAX);
}

/** Whether neither side is known. */
export function isOpen({ start, end }: Period): boolean {
  return start === null && end === null;
}

function isCounted(dates: readonly DatedPeriod[]): boolean {
  return dates.some(({ qualifier }) => COUNTED.has(qualifier));
}

/** The days of another payer (EB R): 290, else as of a coverage. */
export function otherPayerPeriod(dates: readonly DatedPeriod[], serviceDate: string): Period {
  return chosenPeriod(periodsOf(dates, OTHER_PAYER), serviceDate) ?? rowPeriod(dates, serviceDate);
}

/** Whether a DTP01 gives a begin or an end of the coverage. */
export function isOfPeriod(qualifier: string): boolean {
  return OF_PERIOD.has(qualifier);
}

const OF_PERIOD: ReadonlySet<string> = new Set(
  [...FAMILIES, BENEFIT].flatMap(({ begin, end }) => (end === null ? [begin] : [begin, end])),
);

/** DTP01 that count for the days of a coverage. */
const COUNTED: ReadonlySet<string> = new Set([...OF_PERIOD, COBRA_END, DEATH]);

/** The period, ended by the day of death at the latest. */
export function closedByDeath(period: Period, dates: readonly DatedPeriod[]): Period {
  return closedBy(period, dates, DEATH, true);
}

/** Whether the patient had died before the service date. */
export function hadDied(dates: readonly DatedPeriod[], serviceDate: string): boolean {
  return dates.some(({ qualifier, start }) => qualifier === DEATH && start !== null && start < serviceDate);
}

function statedPeriod(
  inner: readonly DatedPeriod[],
  outer: readonly DatedPeriod[],
  benefitEnds: readonly string[],
  serviceDate: string,
): Period {
  const own = inner.filter((date) => !isMirrored(date, serviceDate, false));
  const members = outer.filter((date) => !isMirrored(date, serviceDate, true));
  for (const loop of [own, members]) {
    const [index, periods] = firstPeriods(loop);
    if (periods.length === 0) continue;
    const { start, end } = chosenPeriod(periods, serviceDate) ?? OPEN;
    if (end !== null) return { start, end };
    const lone = loop === members ? [...benefitEnds, ...loneBenefitEnds(members)] : benefitEnds;
    const ownEnd = firstEnd([...endsOf(loop, FAMILIES.slice(index + 1), serviceDate), ...lone], start);
    if (ownEnd !== null || loop === members) return { start, end: ownEnd };
    return { start, end: firstEnd(endsOf(members, FAMILIES, serviceDate), start) };
  }
  return (
    chosenPeriod(periodsOf(own, BENEFIT), serviceDate) ??
    chosenPeriod(periodsOf(members, BENEFIT), serviceDate) ??
    OPEN
  );
}

/** The 349s of one loop that no 348 there begins. */
function loneBenefitEnds(loop: readonly DatedPeriod[]): readonly string[] {
  if (!loop.some(({ qualifier }) => qualifier === BENEFIT.end)) return NONE;
  return periodsOf(loop, BENEFIT).flatMap(({ start, end }) => (start === null && end !== null ? [end] : []));
}

/** The benefit periods (348, 349) of a loop. */
export function benefitPeriods(loop: readonly DatedPeriod[]): readonly Period[] {
  return periodsOf(loop, BENEFIT);
}

/** The first family with a period, and its periods. */
function firstPeriods(loop: readonly DatedPeriod[]): readonly [index: number, periods: readonly Period[]] {
  for (const family of FAMILIES) {
    const periods = periodsOf(loop, family);
    if (periods.length > 0) return [FAMILIES.indexOf(family), periods];
  }
  return [FAMILIES.length, NONE];
}

/** The ends of families that give ends: of the period of each that counts. */
function endsOf(dates: readonly DatedPeriod[], families: readonly Family[], serviceDate: string): string[] {
  const ends: string[] = [];
  if (dates.length === 0) return ends;
  for (const family of families) {
    const end = family.end && chosenPeriod(periodsOf(dates, family), serviceDate)?.end;
    if (end) ends.push(end);
  }
  return ends;
}

/** The first that is not before the begin. */
function firstEnd(ends: Iterable<string>, start: string | null): string | null {
  let first: string | null = null;
  for (const end of ends) {
    const isAfter = start === null || end >= start;
    if (isAfter && (first === null || end < first)) first = end;
  }
  return first;
}

/** RFI 1557: the day that we asked about, and a 307 of the member that ends on it, are not dates of the plan. */
function isMirrored({ qualifier, start, end }: DatedPeriod, serviceDate: string, isOuter: boolean): boolean {
  if (qualifier !== '291' && qualifier !== '307') return false;
  if (isOuter && qualifier === '307' && end === serviceDate) return true;
  return start === serviceDate && (end === null || end === serviceDate);
}

/** The periods of a family: ranges, begins with their ends, open begins, ends only. In any order of the DTPs the same. */
function periodsOf(dates: readonly DatedPeriod[], family: Family): readonly Period[] {
  let only: DatedPeriod | null = null;
  for (const date of dates) {
    if (!isOf(date, family)) continue;
    if (only !== null) return joinedPeriods(dates, family);
    only = date;
  }
  const period = only && statedBy(only, family);
  return period === null ? NONE : [period];
}

function isOf({ qualifier }: DatedPeriod, { begin, end }: Family): boolean {
  return qualifier === begin || qualifier === end;
}

/** What one DTP of a family says: a range, a begin or an end. */
function statedBy(date: DatedPeriod, { begin }: Family): Period | null {
  const start = date.start?.startsWith(FIRST_YEAR) ? null : date.start;
  if (date.end !== null) return { start, end: date.end };
  if (start === null) return null;
  if (date.qualifier === begin) return { start, end: null };
  return start.startsWith(LAST_YEAR) ? null : { start: null, end: start };
}

/** Of several DTPs. */
function joinedPeriods(dates: readonly DatedPeriod[], family: Family): readonly Period[] {
  const stated: Period[] = [];
  for (const date of dates) {
    const period = isOf(date, family) ? statedBy(date, family) : null;
    if (period !== null) stated.push(period);
  }
  return joinPeriods(stated);
}

/** Mainframes write the first year for no begin, the last for no end. */
const FIRST_YEAR = '0001';
const LAST_YEAR = '9999';

/** The period, ended by the latest day under a qualifier where it has no end, or (`isFinal`) a later one. */
function closedBy(
  { start, end }: Period,
  dates: readonly DatedPeriod[],
  qualifier: string,
  isFinal = false,
): Period {
  let day: string | null = null;
  for (const date of dates) {
    const last = date.qualifier === qualifier ? (date.end ?? date.start) : null;
    if (last !== null && (day === null || last > day)) day = last;
  }
  if (day === null || (end !== null && (!isFinal || end <= day))) return { start, end };
  return start !== null && day < start ? { start, end } : { start, end: day };
}
