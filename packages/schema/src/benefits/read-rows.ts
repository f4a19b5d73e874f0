import type { BenefitDateKind, BenefitLevel, RelatedRole } from './benefit-terms.ts';
import type { Benefit, BenefitDate, BenefitKind } from './benefit.ts';
import type { PatientRelationship } from './request-benefits.ts';

/** The facts that decide which rows apply to a patient's coverage. */
export interface CoverageOfRows {
  /** The plans of all coverages of the answer; null where one has no name. */
  readonly plans: readonly (string | null)[];
  /** The position of this coverage among them. */
  readonly entry: number;
  /** The patient's relationship to the subscriber (INS02); null if not reported. */
  readonly relationship: PatientRelationship | null;
  /** The day that was asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
}

/**
 * How far a row's value counts:
 *
 *     speaks      it is the patient's, of this plan and day
 *     narrow      it is or may be theirs in some cases only: a value only if a row that speaks has the same
 *     elsewhere   it is another person's or plan's: never a value; without a row that speaks the reading is `several`
 */
type Standing = 'speaks' | 'narrow' | 'elsewhere';

/** A row of the day, with how far it counts. */
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
 * always theirs. Null if it names others and the patient's relationship (INS02) is not reported.
 */
export function isOfPatient(
  level: BenefitLevel | null,
  relationship: PatientRelationship | null,
): boolean | null {
  if (level === null || level === 'individual' || level === 'family') return true;
  const people = PEOPLE[level];
  return people === undefined || relationship === null ? null : people.includes(relationship);
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

/** EB05 holds 50 characters: a longer name was cut. */
const EB05_LENGTH_MAX = 50;

/** A shorter name is not taken for a longer one that was cut inside a word: `PLAN 1` is not `PLAN 10`. */
const CUT_LENGTH_MIN = 12;

/**
 * Returns the positions of the coverages whose plan a row names (EB05). Case, blanks and punctuation are ignored, and so is
 * what EB05 cuts after 50 characters. Without an equal name, the coverages whose name begins with it; empty if two different
 * names do, or none does.
 *
 * @param plans The names of an answer's coverages; null where one has none.
 */
export function planFinder(plans: readonly (string | null)[]): (name: string) => readonly number[] {
  const known = plans.map((plan) => plan && { plain: plainOf(plan), words: wordsOf(plan) });
  const found = new Map<string, readonly number[]>();
  const find = (name: string): readonly number[] => {
    const plain = plainOf(name);
    const equal = positionsOf(known, (plan) => plan.plain === plain);
    if (equal.length > 0) return equal;
    const words = wordsOf(name);
    const longer = positionsOf(known, (plan) => isBeginning(words, plain.length, plan.words));
    const names = new Set(longer.map((position) => known[position] && known[position].plain));
    return names.size === 1 ? longer : [];
  };
  return (name) => {
    const positions = found.get(name) ?? find(name);
    found.set(name, positions);
    return positions;
  };
}

/** The one plan that rows name; null where none does, or two are named. Some payers name it in rows of amounts only. */
export function onlyPlanName(names: Iterable<string | null>): string | null {
  let only: string | null = null;
  let before: string | null = null;
  for (const name of names) {
    if (name === null || name === before) continue;
    if (only !== null && plainOf(only) !== plainOf(name)) return null;
    only ??= name;
    before = name;
  }
  return only;
}

function positionsOf<Plan>(known: readonly (Plan | null | '')[], is: (plan: Plan) => boolean): number[] {
  return known.flatMap((plan, position) => (plan && is(plan) ? [position] : []));
}

function isBeginning(words: readonly string[], length: number, plan: readonly string[]): boolean {
  const last = words.length - 1;
  if (last < 0 || words.length > plan.length) return false;
  return words.every((word, index) => {
    const other = plan[index] ?? '';
    if (word === other) return true;
    return index === last && length >= CUT_LENGTH_MIN && /\D$/.test(word) && other.startsWith(word);
  });
}

function wordsOf(name: string): string[] {
  return name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function plainOf(name: string): string {
  return wordsOf(name.trim().slice(0, EB05_LENGTH_MAX)).join('');
}
