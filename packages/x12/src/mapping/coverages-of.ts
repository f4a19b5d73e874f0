import type { EligibilityStatus } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import { planPeriod } from './plan-period.ts';

/** One coverage of a member: the EB rows that tell its status. */
export interface Coverage {
  /** Null when the payer could not say (EB01 U, V, W). */
  readonly status: EligibilityStatus | null;
  readonly planName: string | null;
  readonly insuranceType: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly rows: readonly Benefit[];
}

/** A coverage while its rows are gathered; `plain` is what its plan's name is compared by. */
type Growing = { -readonly [K in keyof Coverage]: Coverage[K] } & { rows: Benefit[]; plain: string | null };

/** EB01 to the status of the coverage; null for the codes that hand on. Other codes tell no status. */
const STATUS: Readonly<Record<string, EligibilityStatus | null>> = {
  1: 'Active',
  2: 'Active',
  3: 'Active',
  4: 'Active',
  5: 'Active',
  6: 'Inactive',
  7: 'Inactive',
  8: 'Inactive',
  U: null,
  V: null,
  W: null,
};

/** The status an EB01 tells; undefined when it tells none. */
export function statusOf({ code }: Benefit): EligibilityStatus | null | undefined {
  return Object.hasOwn(STATUS, code) ? STATUS[code] : undefined;
}

/** The service type of the plan as a whole. */
const WHOLE_PLAN = '30';

/** More than any payer answers: what a hostile answer can make of it stays small. */
const COVERAGE_COUNT_MAX = 50;

/**
 * The coverages of a member, in the order of their first rows. Rows for the plan as a whole (EB03 holds 30) decide;
 * without one, rows without a service type; without those, the rest. Beside them a row for single services counts when
 * it names a plan of its own (a dental plan beside the medical one). Rows are one coverage unless they differ in status,
 * plan, insurance type or dates; what a row leaves out differs from nothing.
 */
export function coveragesOf(benefits: readonly Benefit[]): Coverage[] {
  const rows = benefits.filter((row) => statusOf(row) !== undefined);
  const whole = rows.filter(({ serviceTypes }) => serviceTypes.includes(WHOLE_PLAN));
  const unspecific = rows.filter(({ serviceTypes }) => serviceTypes.length === 0);
  const deciding = whole.length > 0 ? whole : unspecific.length > 0 ? unspecific : singleServices(rows);
  const coverages: Growing[] = [];
  for (const row of deciding) addRow(coverages, row);
  const chosen = new Set(deciding);
  const decided = new Set(coverages.map(({ plain }) => plain));
  for (const row of rows) {
    if (chosen.has(row) || row.planName === null || !statusOf(row)) continue;
    if (!decided.has(plainText(row.planName))) addRow(coverages, row);
  }
  return coverages;
}

/** Where the payer speaks of single services alone, the named plans; without a name, what is active. */
function singleServices(rows: readonly Benefit[]): readonly Benefit[] {
  const named = rows.filter(({ planName }) => planName !== null);
  if (named.length > 0) return named;
  const active = rows.filter((row) => statusOf(row) === 'Active');
  return active.length > 0 ? active : rows;
}

function addRow(coverages: Growing[], row: Benefit): void {
  if (coverages.length === COVERAGE_COUNT_MAX) return;
  const status = statusOf(row) ?? null;
  const { start, end } = planPeriod(row.dates);
  const { planName, insuranceType } = row;
  const plain = planName === null ? null : plainText(planName);
  const same = coverages.find(
    (one) =>
      one.status === status &&
      agree(one.plain, plain) &&
      agree(one.insuranceType, insuranceType) &&
      agree(one.start, start) &&
      agree(one.end, end),
  );
  if (same) {
    same.planName ??= planName;
    same.plain ??= plain;
    same.insuranceType ??= insuranceType;
    same.start ??= start;
    same.end ??= end;
    same.rows.push(row);
  } else {
    coverages.push({ status, planName, plain, insuranceType, start, end, rows: [row] });
  }
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** What names are compared by: payers differ in case, blanks and punctuation. */
export function plainText(text: string): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
