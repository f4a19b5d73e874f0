import type { BenefitLevel, BenefitReferenceKind, RelatedRole } from './benefit-terms.ts';
import type { Benefit, BenefitDate, BenefitKind } from './benefit.ts';
import { planFinder } from './plan-names.ts';
import type { CoverageBenefits, PatientRelationship } from './request-benefits.ts';
import { daysOfPlanRow, daysOfRow, isOfAnotherTime, type RowDays } from './row-days.ts';

/** The facts that decide which rows apply to a patient's coverage. */
export interface CoverageOfRows {
  /** The plans of all coverages of the answer; null where one has no name. */
  readonly plans: readonly (string | null)[];
  /** The position of this coverage among them. */
  readonly entry: number;
  /** Its status on the service date: of an Inactive one nothing is covered. */
  readonly status: CoverageBenefits['eligibility_status'];
  /** The patient's relationship to the subscriber (INS02); null if not reported. */
  readonly relationship: PatientRelationship | null;
  /** The day that was asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** The dates of the loop around the rows (2100), where no row is for the plan: they are those of each service. */
  readonly around?: readonly BenefitDate[];
}

/**
 * How far a row's value counts:
 *
 *     speaks      it is the patient's, of this plan
 *     narrow      it is or may be theirs in some cases only: a value only if a row that speaks has the same
 *     elsewhere   it is another person's or plan's: never a value; without a row that speaks the reading is `several`
 */
type Standing = 'speaks' | 'narrow' | 'elsewhere';

/** What one row says: on which days, for whom, of what, and how far it counts. */
export interface ReadRow {
  readonly benefit: Benefit;
  /** Its position among the rows of the coverage. */
  readonly place: number;
  /** Its services; of an age limit without any, those of the code's row before it. */
  readonly service: Benefit['service'];
  /** An age limit without a service, after rows of services: it limits one of them, and the row does not say it. */
  readonly isUnassigned: boolean;
  readonly days: RowDays;
  /** Whether the patient is one of the people that it names (EB02); null where that is not known. */
  readonly isTheirs: boolean | null;
  readonly standing: Standing;
}

/**
 * Reads all rows of a coverage, in their order. The first line that matches decides the standing:
 *
 * | the row                                                                  | is          |
 * |--------------------------------------------------------------------------|-------------|
 * | an amount of another time (DTP 193, 194) or benefit year (292)           | elsewhere   |
 * | EB05 or REF 18 names a plan that is not this coverage's                  | elsewhere   |
 * | REF 18, 6P or 1L differs from those of the rows with the status          | elsewhere   |
 * | of the subscriber's loop, used or left (EB06 24, 29, 33), not the family's | elsewhere |
 * | EB02 names people, and the patient is not one of them (INS02)            | elsewhere   |
 * | the same, and INS02 is not given, or is no relationship that X12 names   | narrow      |
 * | no EB05, after a row of the same kind that names another plan            | narrow      |
 * | for some places, ages, diagnoses, visits, providers ({@link isNarrow})   | narrow      |
 * | any other                                                                | speaks      |
 */
export function readRows(benefits: readonly Benefit[], coverage: CoverageOfRows): ReadRow[] {
  const find = planFinder(coverage.plans);
  const numbers = numbersOf(benefits);
  const kindsOfOtherPlans = new Set<BenefitKind>();
  const rows: ReadRow[] = [];
  let before: Benefit['service'] | null = null;
  let isAfterServices = false;
  for (const [place, benefit] of benefits.entries()) {
    const { kind, dates } = benefit;
    const plan = benefit.plan ?? numberedPlan(benefit, numbers);
    const isOther =
      (plan !== null && !find(plan).includes(coverage.entry)) || hasOtherNumber(benefit, numbers);
    if (isOther) kindsOfOtherPlans.add(kind);
    const isUncertain = plan === null && kindsOfOtherPlans.has(kind);
    const isTheirs = whetherTheirs(benefit, coverage.relationship);
    const isAmount = !isStatus(kind) && !DENIALS.has(kind);
    const isElsewhere = isOther || (isAmount && isOfAnotherTime(dates, coverage.serviceDate));
    const isBare = isBareAge(benefit);
    const service: Benefit['service'] = before !== null && isBare ? before : benefit.service;
    before = service.procedure === null ? null : service;
    const isUnassigned = isBare && before === null && isAfterServices;
    if (isStatus(kind) || service.types.length > 0 || before !== null)
      isAfterServices = !isOfWholePlan(service);
    rows.push({
      benefit,
      place,
      service,
      isUnassigned,
      days: daysOf(benefit, coverage),
      isTheirs,
      standing: isElsewhere ? 'elsewhere' : standingOf(benefit, isTheirs, isUncertain),
    });
  }
  return rows;
}

/** Of an active coverage the rows with its status hold: their days, and the loop's around them, decided it. */
function daysOf(benefit: Benefit, { status, serviceDate, around }: CoverageOfRows): RowDays {
  const { dates, kind } = benefit;
  if (!isPlanStatus(benefit)) {
    const whole = daysOfRow(dates, serviceDate, around);
    if (around === undefined || around.length === 0 || whole.time !== 'now') return whole;
    const own = daysOfRow(dates, serviceDate);
    return own.time === 'now' ? own : whole; // the loop's days are not those of a denial
  }
  const days = daysOfPlanRow(dates, serviceDate);
  const isHeld = status === 'Active' && kind.startsWith('active') && days.time !== 'now';
  return isHeld ? { time: 'now', period: { start: null, end: null } } : days;
}

/** Kinds of REF that distinguish plans, with those of the rows that state the coverage. */
type Numbers = ReadonlyMap<BenefitReferenceKind, ReadonlySet<string>>;

const NUMBERS: ReadonlySet<BenefitReferenceKind> = new Set([
  'plan_number',
  'group_number',
  'group_or_policy_number',
]);

/** The numbers of the rows for the plan's status; without such a row, of all rows with a status. */
function numbersOf(benefits: readonly Benefit[]): Numbers {
  const stated = benefits.filter(({ kind, references }) => references.length > 0 && isStatus(kind));
  const ofPlan = stated.filter(isPlanStatus);
  const numbers = new Map<BenefitReferenceKind, Set<string>>();
  for (const { references } of ofPlan.length > 0 ? ofPlan : stated)
    for (const { kind, value } of references)
      if (NUMBERS.has(kind) && value !== '')
        numbers.set(kind, (numbers.get(kind) ?? new Set<string>()).add(plainNumber(value)));
  return numbers;
}

/** Letters and digits: payers write `55-5` and `555`. */
function plainNumber(value: string): string {
  return value.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a row has a number of a kind, and none that the coverage has. */
function hasOtherNumber({ references }: Benefit, numbers: Numbers): boolean {
  if (references.length === 0 || numbers.size === 0) return false;
  for (const [kind, known] of numbers) {
    const own = references.filter((one) => one.kind === kind && one.value !== '');
    if (own.length > 0 && !own.some(({ value }) => known.has(plainNumber(value)))) return true;
  }
  return false;
}

/** The plan's name in REF 18, where the coverage has no number to compare. */
function numberedPlan({ references }: Benefit, numbers: Numbers): string | null {
  if (references.length === 0 || numbers.has('plan_number')) return null;
  return references.find(({ kind }) => kind === 'plan_number')?.description ?? null;
}

function standingOf(benefit: Benefit, isTheirs: boolean | null, isUncertain: boolean): Standing {
  const { level } = benefit;
  if (isSubscribers(benefit) && level !== 'family' && !isWhole(benefit)) return 'elsewhere';
  if (isTheirs === false) return 'elsewhere';
  return isTheirs === null || isUncertain || isNarrow(benefit) ? 'narrow' : 'speaks';
}

/** Whether the row is of the subscriber's loop, above a dependent who is only named. */
function isSubscribers({ source }: Benefit): boolean {
  return source.kind === 'x12' && source.loop === 'subscriber';
}

/** An employee's amounts count for a dependent as the subscriber's; an employee's status is not theirs. */
function whetherTheirs(benefit: Benefit, relationship: PatientRelationship | null): boolean | null {
  const { level, kind } = benefit;
  const isAmount = !isStatus(kind) && !DENIALS.has(kind);
  const isOwn = isSubscribers(benefit) && level === 'employee' && isAmount;
  return isOfPatient(level, isOwn ? 'self' : relationship);
}

/** Kinds of a row that denies a service. */
const DENIALS: ReadonlySet<BenefitKind> = new Set(['not_covered', 'excluded']);

/** Whether a row speaks of the plan as a whole. */
export function isOfWholePlan({ procedure, types }: Benefit['service']): boolean {
  return procedure === null && (types.length === 0 || types.some(({ code }) => code === WHOLE_PLAN));
}

/** The service type of the whole plan (EB03). */
export const WHOLE_PLAN = '30';

function isPlanStatus({ kind, service }: Benefit): boolean {
  return isStatus(kind) && isOfWholePlan(service);
}

/** Whether a row says only an age: some payers write it after the row of the code that it limits. */
function isBareAge({ kind, service, quantity }: Benefit): boolean {
  if (service.procedure !== null || service.types.length > 0 || isStatus(kind)) return false;
  return quantity?.unit === 'age_at_most' || quantity?.unit === 'age_at_least';
}

/** Whether a row gives a total, neither its remaining nor its used part. */
export function isWhole({ remaining, period }: Benefit): boolean {
  return !remaining && period !== 'year_to_date';
}

const CHILDREN: readonly PatientRelationship[] = ['child'];

/** The people that an EB02 names. */
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
 * always theirs. Null if it names others and the patient's relationship (INS02) is not reported, or is another.
 */
export function isOfPatient(
  level: BenefitLevel | null,
  relationship: PatientRelationship | null,
): boolean | null {
  if (level === null || level === 'individual' || level === 'family') return true;
  const people = PEOPLE[level];
  if (people === undefined || relationship === null) return null;
  return people.includes(relationship) || (relationship === 'other' ? null : false);
}

/** Kinds of amounts that the patient pays. */
const COSTS: ReadonlySet<BenefitKind> = new Set(['coinsurance', 'copayment', 'deductible', 'out_of_pocket']);

/** Roles of providers who treat the patient. */
const PROVIDERS: ReadonlySet<RelatedRole> = new Set([
  'primary_care_provider',
  'provider',
  'contracted_provider',
  'other_physician',
  'facility',
  'gateway_provider',
  'physicians_association',
]);

/** Whether the kind is a status. A provider named there is mostly the patient's own, and narrows nothing. */
export function isStatus(kind: BenefitKind): boolean {
  return kind.startsWith('active') || kind.startsWith('inactive');
}

/**
 * Whether a row holds in some cases only: at some places (III), ages (EB09 S7, S8) or diagnoses (III, EB14), above or
 * below a limit (EB06 28, 30, 31), with a named provider (2120); of what the patient pays also for some visits or units
 * (EB09 with EB10, HSD).
 */
export function isNarrow({ kind, service, quantity, period, frequency, related, source }: Benefit): boolean {
  if (service.places.length > 0) return true;
  if (period === 'exceeded' || period === 'not_exceeded' || period === 'outlier') return true;
  if (quantity?.unit === 'age_at_most' || quantity?.unit === 'age_at_least') return true;
  if (COSTS.has(kind) && (quantity !== null || frequency.length > 0)) return true;
  const segments = source.kind === 'x12' ? source.segments : [];
  const mayName = isStatus(kind);
  if (!mayName && related.some(({ role, name }) => PROVIDERS.has(role) && name !== null)) return true;
  return segments.some(
    (segment, index) =>
      /^\s*III/i.test(segment) ||
      (!mayName && /^\s*PRV/i.test(segment)) ||
      (index === 0 && hasDiagnosis(segment)),
  );
}

/** EB14. */
function hasDiagnosis(segment: string): boolean {
  const text = segment.trimStart();
  return Boolean(text.split(text.charAt(2))[14]?.trim());
}
