import type { EligibilityStatus } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { plainText } from '../plain-text.ts';
import { statusOf, WHOLE_PLAN } from './benefit-codes.ts';
import { planPeriod } from './plan-period.ts';

/** One coverage of a member: the EB rows with its status. */
export interface Coverage {
  /** Null when the payer could not say (EB01 U, V, W). */
  readonly status: EligibilityStatus | null;
  readonly planName: string | null;
  readonly insuranceType: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** The rank of its dates, as in {@link planPeriod}. */
  readonly kind: number;
  /** The distinct EB01 of its rows. */
  readonly codes: ReadonlySet<string>;
  /** The positions of its rows among the member's benefits. */
  readonly places: readonly number[];
}

/** A coverage under construction; `plain` is its plan name for comparison. */
type Growing = { -readonly [K in keyof Coverage]: Coverage[K] } & {
  codes: Set<string>;
  places: number[];
  plain: string | null;
};

/** More than any payer sends; bounds what a hostile answer can cost. */
const COVERAGE_COUNT_MAX = 50;

/**
 * The coverages of a member, in the order of their first rows. Rows for the plan as a whole (EB03 holds 30) decide;
 * without one, rows without a service type or procedure; without those, the rest. Beside them a row for single services counts when
 * it names a plan of its own (a dental plan beside the medical one). Rows are one coverage unless they differ in status,
 * plan, insurance type or dates; what a row leaves out differs from nothing.
 */
export function coveragesOf(benefits: readonly Benefit[], serviceDate: string): Coverage[] {
  let tellingCount = 0;
  const whole: number[] = [];
  const unspecific: number[] = [];
  let place = -1;
  for (const { code, serviceTypes, procedures } of benefits) {
    place += 1;
    if (statusOf(code) === undefined) continue;
    tellingCount += 1;
    // A row for a procedure says nothing about the plan.
    if (serviceTypes.length === 0) {
      if (procedures.length === 0) unspecific.push(place);
    } else if (serviceTypes.includes(WHOLE_PLAN)) whole.push(place);
  }
  const deciding = whole.length > 0 ? whole : unspecific.length > 0 ? unspecific : singleServices(benefits);
  const coverages: Growing[] = [];
  let before: Benefit | undefined;
  let latest: Growing | undefined;
  for (const one of deciding) {
    const row = benefits[one];
    // Payers repeat a row for each network, level and service; repeats skip the comparison with every coverage.
    if (latest && before && row && isRepeated(before, row)) latest.places.push(one);
    else latest = addRow(coverages, benefits[one], one, serviceDate);
    before = row;
  }
  if (deciding.length === tellingCount) return coverages;
  const decided = new Set(coverages.map(({ plain }) => plain));
  let next = 0;
  place = -1;
  for (const row of benefits) {
    place += 1;
    if (place === deciding[next]) {
      next += 1; // both are in answer order
      continue;
    }
    if (!row.planName || !statusOf(row.code)) continue;
    if (coverages.length === COVERAGE_COUNT_MAX) break;
    if (!decided.has(plainText(row.planName))) addRow(coverages, row, place, serviceDate);
  }
  return coverages;
}

/** When the payer mentions only single services: the named plans, or without a name whatever is active. */
function singleServices(benefits: readonly Benefit[]): readonly number[] {
  const telling = [...benefits.keys()].filter((place) => statusOf(benefits[place]?.code ?? '') !== undefined);
  const named = telling.filter((place) => benefits[place]?.planName);
  if (named.length > 0) return named;
  const active = telling.filter((place) => statusOf(benefits[place]?.code ?? '') === 'Active');
  return active.length > 0 ? active : telling;
}

/** Adds a row to the first coverage that it matches, or starts a new one. */
function addRow(
  coverages: Growing[],
  row: Benefit | undefined,
  place: number,
  serviceDate: string,
): Growing | undefined {
  if (!row || coverages.length === COVERAGE_COUNT_MAX) return undefined;
  const { code, planName, insuranceType } = row;
  const status = statusOf(code) ?? null;
  const { start, end, kind } = planPeriod(row.dates, serviceDate);
  const plain = planName === null ? null : plainText(planName);
  for (const one of coverages) {
    const isSame =
      one.status === status &&
      agree(one.plain, plain) &&
      agree(one.insuranceType, insuranceType) &&
      agree(one.start, start) &&
      agree(one.end, end);
    if (!isSame) continue;
    one.planName ??= planName;
    one.plain ??= plain;
    one.insuranceType ??= insuranceType;
    one.start ??= start;
    one.end ??= end;
    one.kind = Math.min(one.kind, kind);
    one.codes.add(code);
    one.places.push(place);
    return one;
  }
  const told = { status, planName, plain, insuranceType, start, end, kind };
  const added = { ...told, codes: new Set([code]), places: [place] };
  coverages.push(added);
  return added;
}

function isRepeated(before: Benefit, row: Benefit): boolean {
  return (
    row.code === before.code &&
    row.planName === before.planName &&
    row.insuranceType === before.insuranceType &&
    row.dates.length === 0 &&
    before.dates.length === 0
  );
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}
