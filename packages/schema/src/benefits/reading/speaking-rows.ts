import type { BenefitKind } from '../benefit-kind.ts';
import type { BenefitDateKind, BenefitLevel, RelatedRole } from '../benefit-terms.ts';
import type { Benefit, BenefitDate } from '../benefit.ts';
import type { PatientRelationship } from '../request-benefits.ts';
import { type Days, excludesDay, joinPeriods } from './periods.ts';
import { planFinder } from './plan-names.ts';

/** What decides for whom the rows of a coverage speak. */
export interface CoverageOfRows {
  /** The plans of all coverages of the answer; null where one has no name. */
  readonly plans: readonly (string | null)[];
  /** The position of this coverage among them. */
  readonly entry: number;
  /** What the patient is to the subscriber (INS02); null if not reported. */
  readonly relationship: PatientRelationship | null;
  /** The day that was asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
}

/**
 * What a row's value is worth:
 *
 *     speaks      it is the patient's, of this plan and day
 *     narrow      it is theirs in some cases only, or may be: never a value without a row that speaks and says the same
 *     elsewhere   it is somebody else's or another plan's: never a value; without a row that speaks the reading is `several`
 */
type Standing = 'speaks' | 'narrow' | 'elsewhere';

/** A row of the day, with what it is worth. */
export interface SpeakingRow {
  readonly benefit: Benefit;
  readonly standing: Standing;
}

/**
 * The rows that count on the service date, in their order. Rows of other days are left out. The first line that matches
 * decides:
 *
 * | the row                                                                  | is          |
 * |--------------------------------------------------------------------------|-------------|
 * | a period that is over (DTP 193, 194): an amount as of then               | elsewhere   |
 * | EB05 names a plan that is not this coverage's                            | elsewhere   |
 * | of the subscriber's loop, used or left (EB06 24, 29, 33), not the family's | elsewhere |
 * | EB02 names people, and the patient is not one of them (INS02)            | elsewhere   |
 * | the same, and INS02 is not given                                         | narrow      |
 * | no EB05, after a row of the same kind that names another plan            | narrow      |
 * | for some places, ages, diagnoses, visits, providers ({@link isNarrow})   | narrow      |
 * | any other                                                                | speaks      |
 */
export function speakingRows(benefits: readonly Benefit[], coverage: CoverageOfRows): SpeakingRow[] {
  const find = planFinder(coverage.plans);
  const kindsOfOtherPlans = new Set<BenefitKind>();
  const rows: SpeakingRow[] = [];
  for (const benefit of benefits) {
    const { kind, plan } = benefit;
    const isOther = plan !== null && !find(plan).includes(coverage.entry);
    if (isOther) kindsOfOtherPlans.add(kind);
    const { isOfDay, isOver } = daysOf(benefit.dates, coverage.serviceDate);
    if (!isOfDay) continue;
    const isUncertain = plan === null && kindsOfOtherPlans.has(kind);
    const standing =
      isOver || isOther ? 'elsewhere' : standingOf(benefit, coverage.relationship, isUncertain);
    rows.push({ benefit, standing });
  }
  return rows;
}

function standingOf(
  benefit: Benefit,
  relationship: PatientRelationship | null,
  isUncertain: boolean,
): Standing {
  const { level, source } = benefit;
  const isSubscribers = source.kind === 'x12' && source.loop === 'subscriber';
  if (isSubscribers && level !== 'family' && !isWhole(benefit)) return 'elsewhere';
  const isTheirs = isOfPatient(level, isSubscribers && level === 'employee' ? 'self' : relationship);
  if (isTheirs === false) return 'elsewhere';
  return isTheirs === null || isUncertain || isNarrow(benefit) ? 'narrow' : 'speaks';
}

/** Whether a row gives a whole: neither what is left of it nor what is used. */
export function isWhole({ remaining, period }: Benefit): boolean {
  return !remaining && period !== 'year_to_date';
}

const CHILDREN: readonly PatientRelationship[] = ['child'];

/** Who is meant by an EB02 that names people. */
const PEOPLE: Partial<Record<BenefitLevel, readonly PatientRelationship[]>> = {
  employee: ['self'],
  employee_and_spouse: ['self', 'spouse'],
  employee_and_children: ['self', 'child'],
  spouse: ['spouse'],
  spouse_and_children: ['spouse', 'child'],
  children: CHILDREN,
  dependents: ['spouse', 'child', 'other_adult', 'other'],
};

/**
 * Whether the patient is one of the people that a level names (EB02 CHD, ESP …); a row for one person or for the family is
 * always theirs. Null where INS02 does not say what the patient is to the subscriber.
 */
export function isOfPatient(
  level: BenefitLevel | null,
  relationship: PatientRelationship | null,
): boolean | null {
  if (level === null || level === 'individual' || level === 'family') return true;
  const people = PEOPLE[level];
  return people === undefined || relationship === null ? null : people.includes(relationship);
}

/** What the patient pays: a share, a fee, what comes first, the most. */
const COSTS: ReadonlySet<BenefitKind> = new Set(['coinsurance', 'copayment', 'deductible', 'out_of_pocket']);

/** Roles of somebody who treats the patient. */
const PROVIDERS: ReadonlySet<RelatedRole> = new Set([
  'primary_care_provider',
  'provider',
  'contracted_provider',
  'other_physician',
  'facility',
  'gateway_provider',
  'physicians_association',
]);

/** Kinds of a plan's status. A provider named there is mostly the patient's own, and narrows nothing. */
const STATUS = /^(in)?active/;

/**
 * Whether a row holds in some cases only: at some places (III), ages (EB09 S7, S8) or diagnoses (III, EB14), above or
 * below a limit (EB06 28, 30, 31), with a named provider (2120); of what the patient pays also for some visits or units
 * (EB09 with EB10, HSD).
 */
function isNarrow({ kind, service, quantity, period, frequency, related, source }: Benefit): boolean {
  if (service.places.length > 0) return true;
  if (period === 'exceeded' || period === 'not_exceeded' || period === 'outlier') return true;
  if (quantity?.unit === 'age_at_most' || quantity?.unit === 'age_at_least') return true;
  if (COSTS.has(kind) && (quantity !== null || frequency.length > 0)) return true;
  const segments = source.kind === 'x12' ? source.segments : [];
  const isStatus = STATUS.test(kind);
  if (!isStatus && related.some(({ role, name }) => PROVIDERS.has(role) && name !== null)) return true;
  return segments.some(
    (segment, index) =>
      /^\s*III/i.test(segment) ||
      (!isStatus && /^\s*PRV/i.test(segment)) ||
      (index === 0 && hasDiagnosis(segment)),
  );
}

/** EB14. */
function hasDiagnosis(segment: string): boolean {
  const text = segment.trimStart();
  return Boolean(text.split(text.charAt(2))[14]?.trim());
}

/** Dates that limit what a row says. Without an end kind, one kind gives both sides. */
const FAMILIES: readonly { readonly begin: BenefitDateKind; readonly end: BenefitDateKind | null }[] = [
  { begin: 'plan', end: null },
  { begin: 'plan_begin', end: 'plan_end' },
  { begin: 'policy_effective', end: 'policy_expiration' },
  { begin: 'eligibility', end: null },
  { begin: 'eligibility_begin', end: 'eligibility_end' },
  { begin: 'benefit', end: null },
  { begin: 'benefit_begin', end: 'benefit_end' },
];

/** The time that an amount was counted over. */
const COUNTED = { begin: 'period_start', end: 'period_end' } as const;

/** Whether a row's own dates hold the day: of each family that has periods one, in whatever order they come. */
function daysOf(dates: readonly BenefitDate[], day: string): { isOfDay: boolean; isOver: boolean } {
  if (dates.length === 0) return { isOfDay: true, isOver: false };
  return {
    isOfDay: FAMILIES.every(({ begin, end }) => holds(dates, begin, end, day)),
    isOver: !holds(dates, COUNTED.begin, COUNTED.end, day),
  };
}

function holds(
  dates: readonly BenefitDate[],
  begin: BenefitDateKind,
  end: BenefitDateKind | null,
  day: string,
): boolean {
  const days: Days[] = [];
  for (const date of dates)
    if (date.kind === end && date.end === null) days.push({ start: null, end: date.start });
    else if (date.kind === begin || date.kind === end) days.push(date);
  const periods = joinPeriods(days);
  return periods.length === 0 || periods.some((period) => !excludesDay(period, day));
}
