import { type EligibilityStatus, excludesDay } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod, Reference } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';
import { plainText } from '../codes.ts';
import { loopOf, type PlacedMember } from '../placed-member.ts';
import { coveragePeriod, hadDied, rowPeriod } from './coverage-period.ts';
import { decidingRows, isOfPlan, isOfProcedure, statusOf, statusRows } from './deciding-rows.ts';

/** One coverage of a member: the EB rows with its status. */
export interface Coverage {
  /** As the rows say it; null when the payer could not say (EB01 U, V, W). */
  readonly saidStatus: EligibilityStatus | null;
  /** On the service date: Inactive outside of the coverage's days. */
  readonly status: EligibilityStatus | null;
  readonly planName: string | null;
  readonly insuranceType: string | null;
  /** EB12, where it distinguishes the coverage from another: `Y` in network, `N` out of it. */
  readonly network: string | null;
  readonly period: Period;
  /** The distinct EB01 of its rows. */
  readonly codes: ReadonlySet<string>;
  /** The positions of its rows among the member's benefits. */
  readonly places: readonly number[];
  /** The services that its rows are about, where none is about the plan. */
  readonly services: readonly string[];
  /** The procedure codes that its rows are about, where none is about the plan. */
  readonly procedures: readonly string[];
}

/** A coverage under construction. */
interface Group {
  readonly saidStatus: EligibilityStatus | null;
  planName: string | null;
  /** The plan's name for comparison. */
  plain: string | null;
  insuranceType: string | null;
  network: string | null;
  /** The days of its own rows. */
  own: Period;
  /** The dates of the loop that its rows are in. */
  readonly outer: readonly DatedPeriod[];
  readonly dates: DatedPeriod[];
  readonly places: number[];
  firstPlace: number;
}

/** A row, with the values that decide which coverage it belongs to. */
type Row = Readonly<Omit<Group, 'places' | 'dates' | 'firstPlace'>> & {
  readonly place: number;
  readonly benefit: Benefit;
};

/** More than any payer sends; bounds what a hostile answer can cost. */
const COVERAGE_COUNT_MAX = 50;

/**
 * The coverages of a member, in the order of their first rows. Rows for the plan as a whole (EB03 holds 30) decide;
 * without one, rows without a service type or procedure; without those, the rest. With them a row for single services
 * counts when it names a plan of its own (a dental plan with the medical one).
 *
 * Two rows are one coverage unless they contradict each other (RFI 1717, 2104):
 *
 *     the status differs
 *     the plan or the insurance type differs; what a row leaves out differs from nothing
 *     only one is out of network, and their days differ
 *     one begins after the other ended; a begin and a later end are one period
 *     a row without a plan's name is outside of its days, and the other names a plan
 *
 * A row without a plan's name that fits several belongs to the coverage before it. The order of the rows changes nothing
 * else.
 */
export function coveragesOf(placed: PlacedMember, serviceDate: string): Coverage[] {
  const { benefits } = placed.member;
  const toRow = (place: number) => rowOf(placed, place, serviceDate);
  const stated = statusRows(benefits);
  const deciding = decidingRows(benefits, stated);
  const groups = grouped(deciding.map(toRow), serviceDate);
  const named =
    deciding.length === stated.length ? [] : besideThem(benefits, stated, groups, toRow, serviceDate);
  return [...groups, ...named]
    .slice(0, COVERAGE_COUNT_MAX)
    .map((group) => coverageOf(group, benefits, serviceDate));
}

/** The coverages of rows for single services that name a plan which the deciding ones do not. */
function besideThem(
  benefits: readonly Benefit[],
  stated: readonly number[],
  groups: readonly Group[],
  toRow: (place: number) => Row,
  serviceDate: string,
): Group[] {
  const places = stated.filter((place) => {
    const row = benefits[place];
    return row?.planName && statusOf(row.code) && !isOfProcedure(row);
  });
  if (places.length === 0) return [];
  const decided = new Set(groups.map(({ plain }) => plain));
  const rows = places.map(toRow).filter(({ plain }) => !decided.has(plain));
  return grouped(rows, serviceDate);
}

function rowOf(placed: PlacedMember, place: number, serviceDate: string): Row {
  const benefit = placed.member.benefits[place];
  if (!benefit) throw new Error('A row is one of the benefits');
  const { code, planName, insuranceType, inNetwork, dates } = benefit;
  return {
    place,
    benefit,
    saidStatus: statusOf(code) ?? null,
    planName,
    plain: planName === null ? null : plainText(planName),
    insuranceType,
    network: inNetwork === 'Y' || inNetwork === 'N' ? inNetwork : null,
    own: rowPeriod(dates, serviceDate),
    outer: loopOf(placed, benefit).dates,
  };
}

function grouped(rows: readonly Row[], serviceDate: string): Group[] {
  const [only, second] = rows;
  if (only && !second) return [groupOf(only)];
  const groups: Group[] = [];
  const byKey = new Map<string, Group>();
  const outers = [...new Set(rows.map(({ outer }) => outer))];
  // The most specific row comes first, so that the order of the rows does not matter.
  for (const row of bySubstance(rows)) {
    const key = `${keyOf(row)}\n${outers.indexOf(row.outer)}`;
    // Payers repeat a row for each level and service: repeats skip the comparison with every coverage.
    const known = byKey.get(key) ?? fitting(groups, row, serviceDate);
    if (known) add(known, row);
    else if (groups.length < COVERAGE_COUNT_MAX) groups.push(groupOf(row));
    const group = known ?? groups.at(-1);
    if (group && (row.plain !== null || groups.length === 1)) byKey.set(key, group);
  }
  for (const { places } of groups) places.sort((one, other) => one - other);
  return groups.toSorted((one, other) => one.firstPlace - other.firstPlace);
}

function groupOf(row: Row): Group {
  return { ...row, dates: [...row.benefit.dates], places: [row.place], firstPlace: row.place };
}

/** The coverage whose rows the row does not contradict; of several, without a plan's name, the last that begins before it. */
function fitting(groups: readonly Group[], row: Row, serviceDate: string): Group | undefined {
  let best: Group | undefined;
  for (const group of groups) {
    if (contradict(group, row, serviceDate)) continue;
    if (row.plain !== null) return group;
    const isBefore = group.firstPlace < row.place;
    const isBetter =
      best === undefined || (isBefore && (best.firstPlace > row.place || group.firstPlace > best.firstPlace));
    if (isBetter) best = group;
  }
  return best;
}

function add(group: Group, { benefit, place, planName, plain, insuranceType, network, own }: Row): void {
  group.planName ??= planName;
  group.plain ??= plain;
  group.insuranceType ??= insuranceType;
  if (group.network !== network) group.network = null;
  group.own = { start: group.own.start ?? own.start, end: group.own.end ?? own.end };
  group.dates.push(...benefit.dates);
  group.places.push(place);
  group.firstPlace = Math.min(group.firstPlace, place);
}

function contradict(group: Group, row: Row, serviceDate: string): boolean {
  const differ = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  const isOutOf = (network: string | null) => network === 'N';
  if (
    group.saidStatus !== row.saidStatus ||
    differ(group.plain, row.plain) ||
    differ(group.insuranceType, row.insuranceType) ||
    (isOutOf(group.network) !== isOutOf(row.network) && !isSamePeriod(group.own, row.own)) ||
    (group.plain !== null && row.plain === null && excludesDay(row.own, serviceDate))
  )
    return true;
  const [whole, rowWhole] = [wholeOf(group, serviceDate), wholeOf(row, serviceDate)];
  const isAfter = (one: Period, other: Period) =>
    one.start !== null && other.end !== null && one.start > other.end;
  return (
    (group.outer !== row.outer && !isSamePeriod(whole, rowWhole)) ||
    isAfter(whole, rowWhole) ||
    isAfter(rowWhole, whole)
  );
}

function isSamePeriod(one: Period, other: Period): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The days with those of the loop around. */
function wholeOf({ own, outer }: Pick<Group, 'own' | 'outer'>, serviceDate: string): Period {
  if (outer.length === 0) return own;
  const dates = [
    ...(own.start === null ? [] : [{ qualifier: '346', start: own.start, end: null }]),
    ...(own.end === null ? [] : [{ qualifier: '347', start: own.end, end: null }]),
  ];
  return coveragePeriod(dates, outer, serviceDate);
}

function keyOf({ saidStatus, plain, insuranceType, network, own: { start, end } }: Row): string {
  return [saidStatus, plain, insuranceType, network, start, end].join('\n');
}

function bySubstance(rows: readonly Row[]): readonly Row[] {
  const said = ({ plain, insuranceType, network, own: { start, end } }: Row) =>
    [plain, insuranceType, network, start, end].map((text) => (text === null ? '1' : `0${text}`)).join('\n');
  return rows
    .map((row) => ({ row, text: said(row) }))
    .toSorted((one, other) =>
      one.text < other.text ? -1 : one.text > other.text ? 1 : one.row.place - other.row.place,
    )
    .map(({ row }) => row);
}

function coverageOf(
  { saidStatus, planName, insuranceType, network, dates, outer, places }: Group,
  benefits: readonly Benefit[],
  serviceDate: string,
): Coverage {
  const rows: Benefit[] = [];
  for (const place of places) if (benefits[place]) rows.push(benefits[place]);
  const period = coveragePeriod(dates, outer, serviceDate);
  const isOutside =
    excludesDay(period, serviceDate) || hadDied(dates, serviceDate) || hadDied(outer, serviceDate);
  const isPlan = rows.some(isOfPlan);
  return {
    saidStatus,
    status: saidStatus === 'Active' && isOutside ? 'Inactive' : saidStatus,
    planName,
    insuranceType,
    network,
    period,
    codes: new Set(rows.map(({ code }) => code)),
    places,
    services: isPlan ? [] : [...new Set(rows.flatMap(({ serviceTypes }) => serviceTypes))],
    procedures: isPlan ? [] : [...new Set(rows.flatMap((row) => row.procedures.map(({ code }) => code)))],
  };
}

/** REF01 of a plan. Some payers put the name with its number instead of into EB05. */
const PLAN_NUMBER = '18';

/** The name of a plan in the REF of one loop; null without one. */
export function namedPlan(references: readonly Reference[]): string | null {
  return references.find(({ qualifier }) => qualifier === PLAN_NUMBER)?.description ?? null;
}
