import { type EligibilityStatus, excludesDay } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';
import { plainText } from '../codes.ts';
import { statusOf } from '../eb-codes.ts';
import { loopOf, payerOf, type PlacedMember, relationshipOf } from '../placed-member.ts';
import { planDays, serviceDays } from './coverage-days.ts';
import { countedDates, coveragePeriod, hadDied, isOpen, rowPeriod } from './coverage-period.ts';
import { decidingRows, isOfPlan, isOfProcedure, statusRows } from './deciding-rows.ts';
import { differInNumbers, joinedNumbers, numbersOf, type PlanNumbers } from './plan-numbers.ts';

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
  readonly numbers: PlanNumbers;
  readonly period: Period;
  /** Periods of the plan that do not hold the day, where a row without days does. */
  readonly otherPeriods: readonly Period[];
  /** The distinct EB01 of its rows. */
  readonly codes: ReadonlySet<string>;
  /** The positions of its rows among the member's benefits. */
  readonly places: readonly number[];
  /** The services that its rows are about, where none is about the plan. */
  readonly services: readonly string[];
  /** Those of them that hold on the day; all where none does. */
  readonly heldServices: readonly string[];
  /** The procedure codes that its rows are about, where none is about the plan. */
  readonly procedures: readonly string[];
  /** The codes and ranges of them that hold on the day; all where none does. */
  readonly heldProcedures: readonly string[];
}

/** A row, with the values that decide which coverage it belongs to. */
interface Row {
  readonly place: number;
  readonly benefit: Benefit;
  readonly saidStatus: EligibilityStatus | null;
  readonly planName: string | null;
  /** The plan's name for comparison. */
  readonly plain: string | null;
  readonly numbers: PlanNumbers;
  readonly insuranceType: string | null;
  readonly network: string | null;
  /** The payer's name for comparison. */
  readonly payer: string;
  /** Its own days. */
  readonly own: Period;
  /** The same with those of the loop around. */
  readonly whole: Period;
  /** The dates of the loop that it is in. */
  readonly outer: readonly DatedPeriod[];
  readonly isOfPlan: boolean;
}

/** A coverage under construction: what its rows say together. */
type Group = { -readonly [K in Exclude<keyof Row, 'place' | 'benefit'>]: Row[K] } & {
  readonly rows: Row[];
  firstPlace: number;
};

/** More than any payer sends; bounds what a hostile answer can cost. */
const COVERAGE_COUNT_MAX = 50;

/**
 * The coverages of a member, in the order of their first rows. Rows for the plan as a whole (EB03 holds 30) decide;
 * without one, rows without a service type or procedure; without those, the rest. With them a row for single services
 * counts when it names a plan of its own (a dental plan with the medical one). A row for other people than the patient
 * decides nothing.
 *
 * Two rows are one coverage unless they contradict each other (RFI 1717, 2104):
 *
 *     the status or the payer differs
 *     the plan, REF 18, 6P, 1L or the insurance type differs; what a row leaves out differs from nothing
 *     only one is out of network, and their days differ
 *     one begins after the other ended; a begin and a later end are one period
 *     a row without a plan's name is outside of its days, or has none, and the other names a plan and differs in that
 *
 * Rows for single services each have their own days: there days contradict nothing. A row without a plan's name that fits
 * several belongs to the coverage before it. The order of the rows changes nothing else.
 */
export function coveragesOf(placed: PlacedMember, serviceDate: string): Coverage[] {
  const { benefits } = placed.member;
  const outers = new Map<readonly DatedPeriod[], Around>();
  const toRow = (place: number) => rowOf(placed, place, outers, serviceDate);
  const stated = statusRows(benefits, relationshipOf(placed));
  const deciding = decidingRows(benefits, stated, serviceDate);
  const groups = grouped(deciding.map(toRow), serviceDate);
  const named =
    deciding.length === stated.length ? [] : besideThem(benefits, stated, groups, toRow, serviceDate);
  return [...groups, ...named].slice(0, COVERAGE_COUNT_MAX).map((group) => coverageOf(group, serviceDate));
}

/** The coverages of rows for single services that name a plan, or have a number of one, which the deciding ones do not. */
function besideThem(
  benefits: readonly Benefit[],
  stated: readonly number[],
  groups: readonly Group[],
  toRow: (place: number) => Row,
  serviceDate: string,
): Group[] {
  const places = stated.filter((place) => {
    const row = benefits[place];
    if (!row || !statusOf(row.code) || isOfProcedure(row)) return false;
    return row.planName !== null || row.references.length > 0;
  });
  if (places.length === 0) return [];
  const decided = new Set(groups.map(({ plain }) => plain));
  const rows = places.map(toRow).filter(({ plain, numbers }) => {
    const alike = plain === null ? groups : groups.filter((group) => group.plain === plain);
    const isOther = numbers.size > 0 && alike.every((group) => differInNumbers(group.numbers, numbers));
    return isOther || (plain !== null && !decided.has(plain));
  });
  return grouped(rows, serviceDate);
}

function rowOf(
  placed: PlacedMember,
  place: number,
  outers: Map<readonly DatedPeriod[], Around>,
  serviceDate: string,
): Row {
  const benefit = placed.member.benefits[place];
  if (!benefit) throw new Error('A row is one of the benefits');
  const { code, planName, insuranceType, inNetwork, dates, references } = benefit;
  const loop = loopOf(placed, benefit).dates;
  const known = outers.get(loop) ?? aroundOf(loop, serviceDate);
  outers.set(loop, known);
  const { outer, around } = known;
  const own = rowPeriod(dates, serviceDate);
  return {
    place,
    benefit,
    saidStatus: statusOf(code) ?? null,
    planName,
    plain: planName === null ? null : plainText(planName),
    numbers: numbersOf(references),
    insuranceType,
    network: inNetwork === 'Y' || inNetwork === 'N' ? inNetwork : null,
    payer: plainText(payerOf(placed, benefit).party?.name?.last ?? ''),
    own,
    whole: isOpen(own) ? around : wholeOf(own, outer, serviceDate),
    outer,
    isOfPlan: isOfPlan(benefit),
  };
}

/** What a loop (2100) says of the days of its rows. */
interface Around {
  readonly outer: readonly DatedPeriod[];
  readonly around: Period;
}

function aroundOf(dates: readonly DatedPeriod[], serviceDate: string): Around {
  const outer = countedDates(dates);
  return { outer, around: coveragePeriod([], outer, serviceDate) };
}

function grouped(rows: readonly Row[], serviceDate: string): Group[] {
  const groups: Group[] = [];
  const byKey = new Map<string, Group>();
  const outers = new Map([...new Set(rows.map(({ outer }) => outer))].map((outer, index) => [outer, index]));
  // The most specific row comes first, so that the order of the rows does not matter.
  for (const row of bySubstance(rows)) {
    const key = `${keyOf(row)}\n${outers.get(row.outer)}`;
    // Payers repeat a row for each level and service: repeats skip the comparison with every coverage.
    const known = byKey.get(key) ?? fitting(groups, row, serviceDate);
    if (known) add(known, row, serviceDate);
    else if (groups.length < COVERAGE_COUNT_MAX) groups.push(groupOf(row));
    const group = known ?? groups.at(-1);
    if (group && (isNamed(row) || groups.length === 1)) byKey.set(key, group);
  }
  for (const group of groups) group.rows.sort((one, other) => one.place - other.place);
  return groups.toSorted((one, other) => one.firstPlace - other.firstPlace);
}

function isNamed({ plain, numbers }: Pick<Row, 'plain' | 'numbers'>): boolean {
  return plain !== null || numbers.size > 0;
}

function groupOf(row: Row): Group {
  const { place, benefit: _benefit, ...said } = row;
  return { ...said, rows: [row], firstPlace: place };
}

/** The coverage whose rows the row does not contradict; of several, without a plan's name, the last that begins before it. */
function fitting(groups: readonly Group[], row: Row, serviceDate: string): Group | undefined {
  let best: Group | undefined;
  for (const group of groups) {
    if (contradict(group, row, serviceDate)) continue;
    if (isNamed(row)) return group;
    const isBefore = group.firstPlace < row.place;
    const isBetter =
      best === undefined || (isBefore && (best.firstPlace > row.place || group.firstPlace > best.firstPlace));
    if (isBetter) best = group;
  }
  return best;
}

function add(group: Group, row: Row, serviceDate: string): void {
  const { place, planName, plain, insuranceType, network, own } = row;
  group.planName ??= planName;
  group.plain ??= plain;
  group.insuranceType ??= insuranceType;
  if (row.numbers.size > 0) group.numbers = joinedNumbers(group.numbers, row.numbers);
  if (group.network !== network) group.network = null;
  const start = group.own.start ?? own.start;
  const end = group.own.end ?? own.end;
  if (start !== group.own.start || end !== group.own.end) {
    group.own = { start, end };
    group.whole = wholeOf(group.own, group.outer, serviceDate);
  }
  group.rows.push(row);
  group.firstPlace = Math.min(group.firstPlace, place);
}

function contradict(group: Group, row: Row, serviceDate: string): boolean {
  const differ = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  if (
    group.saidStatus !== row.saidStatus ||
    group.payer !== row.payer ||
    differ(group.plain, row.plain) ||
    differInNumbers(group.numbers, row.numbers) ||
    differ(group.insuranceType, row.insuranceType)
  )
    return true;
  if (!group.isOfPlan && !row.isOfPlan && group.outer === row.outer) return false;
  return contradictInDays(group, row, serviceDate);
}

/** Of a plan. A row without days is no period: an ended one of the same plan ends nothing that it says. */
function contradictInDays(group: Group, row: Row, serviceDate: string): boolean {
  const isOutOf = (network: string | null) => network === 'N';
  if (isOutOf(group.network) !== isOutOf(row.network) && !isSamePeriod(group.own, row.own)) return true;
  if (group.plain !== null && row.plain === null) {
    if (excludesDay(row.own, serviceDate)) return true;
    if (isOpen(row.own) && excludesDay(group.own, serviceDate)) return true;
  }
  const isAfter = (one: Period, other: Period) =>
    one.start !== null && other.end !== null && one.start > other.end;
  return (
    (group.outer !== row.outer && !isSamePeriod(group.whole, row.whole)) ||
    isAfter(group.whole, row.whole) ||
    isAfter(row.whole, group.whole)
  );
}

function isSamePeriod(one: Period, other: Period): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The days with those of the loop around. */
function wholeOf(own: Period, outer: readonly DatedPeriod[], serviceDate: string): Period {
  if (outer.length === 0) return own;
  const dates = [
    ...(own.start === null ? [] : [{ qualifier: '346', start: own.start, end: null }]),
    ...(own.end === null ? [] : [{ qualifier: '347', start: own.end, end: null }]),
  ];
  return coveragePeriod([dates], outer, serviceDate);
}

function substanceOf({ plain, insuranceType, network, numbers, own: { start, end } }: Row): string {
  const listed = [...numbers].map(([kind, values]) => `${kind} ${[...values].join(' ')}`).join(' ');
  return [plain, listed === '' ? null : listed, insuranceType, network, start, end]
    .map((text) => (text === null ? '1' : `0${text}`))
    .join('\n');
}

function keyOf(row: Row): string {
  return `${row.saidStatus}\n${row.isOfPlan}\n${row.payer}\n${substanceOf(row)}`;
}

function bySubstance(rows: readonly Row[]): readonly Row[] {
  if (rows.length < 2) return rows;
  return rows
    .map((row) => ({ row, text: substanceOf(row) }))
    .toSorted((one, other) =>
      one.text < other.text ? -1 : one.text > other.text ? 1 : one.row.place - other.row.place,
    )
    .map(({ row }) => row);
}

function coverageOf(group: Group, serviceDate: string): Coverage {
  const { saidStatus, planName, insuranceType, network, numbers, outer, rows } = group;
  const benefits = rows.map(({ benefit }) => benefit);
  const isPlan = benefits.some(isOfPlan);
  const { period, otherPeriods, heldServices, heldProcedures } = isPlan
    ? { ...planDays(benefits, outer, serviceDate), heldServices: [], heldProcedures: [] }
    : serviceDays(benefits, outer, serviceDate);
  const isOutside =
    excludesDay(period, serviceDate) ||
    hadDied(outer, serviceDate) ||
    benefits.some(({ dates }) => hadDied(dates, serviceDate));
  return {
    saidStatus,
    status: saidStatus === 'Active' && isOutside ? 'Inactive' : saidStatus,
    planName,
    insuranceType,
    network,
    numbers,
    period,
    otherPeriods,
    codes: new Set(benefits.map(({ code }) => code)),
    places: rows.map(({ place }) => place),
    services: isPlan ? [] : [...new Set(benefits.flatMap(({ serviceTypes }) => serviceTypes))],
    heldServices,
    heldProcedures,
    procedures: isPlan ? [] : [...new Set(benefits.flatMap((row) => row.procedures.map(({ code }) => code)))],
  };
}
