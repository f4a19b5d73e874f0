import type { Benefit, BenefitDateKind, BenefitProcedure } from '@insurance-verification/schema';
import type { AskedProcedure } from '@insurance-verification/x12';

/** The service type of the whole plan. */
export const WHOLE_PLAN = '30';

/** The rows that speak for the plan as a whole on a day: of service type 30, or of none and of no procedure. */
export function rowsOfPlan(benefits: readonly Benefit[], serviceDate: string): Benefit[] {
  return benefits.filter(
    (benefit) =>
      isOfDay(benefit, serviceDate) &&
      benefit.service.procedure === null &&
      (benefit.service.types.length === 0 || benefit.service.types.some(({ code }) => code === WHOLE_PLAN)),
  );
}

/** The rows that speak for a service type on a day. */
export function rowsOfType(benefits: readonly Benefit[], type: string, serviceDate: string): Benefit[] {
  return benefits.filter(
    (benefit) =>
      isOfDay(benefit, serviceDate) &&
      benefit.service.procedure === null &&
      benefit.service.types.some(({ code }) => code === type),
  );
}

/**
 * The rows that speak for a procedure on a day: those that name it, or a range it is in. For a code with modifiers the
 * rows with the same ones speak, else those with none; for a code without, those with none, else all.
 */
export function rowsOfProcedure(
  benefits: readonly Benefit[],
  asked: AskedProcedure,
  serviceDate: string,
): Benefit[] {
  const wanted = keyOf(asked.modifiers);
  const naming = benefits.flatMap((benefit) => {
    const named = proceduresOf(benefit).filter((one) => holds(one, asked.code));
    return named.length === 0 ? [] : [{ benefit, keys: named.map(({ modifiers }) => keyOf(modifiers)) }];
  });
  const withKey = (key: string) => naming.filter(({ keys }) => keys.includes(key));
  const same = withKey(wanted);
  const speaking = same.length > 0 ? same : wanted === '' ? naming : withKey('');
  return speaking.map(({ benefit }) => benefit).filter((benefit) => isOfDay(benefit, serviceDate));
}

function proceduresOf({ service }: Benefit): readonly BenefitProcedure[] {
  return service.procedure === null ? [] : [service.procedure, ...service.more_procedures];
}

/** The lists that a request's codes are of. */
const SYSTEMS: ReadonlySet<string> = new Set(['cpt_hcpcs', 'cpt', 'cdt']);

function holds({ system, code, last_code: last }: BenefitProcedure, asked: string): boolean {
  if (!SYSTEMS.has(system)) return false;
  const first = code.toUpperCase();
  if (last === null) return first === asked;
  return asked.length === first.length && asked >= first && asked <= last.toUpperCase();
}

function keyOf(modifiers: readonly string[]): string {
  return modifiers
    .map((modifier) => modifier.toUpperCase())
    .toSorted()
    .join('-');
}

/** Dates that begin what a row says, and end it where they have an end. */
const BEGINS: ReadonlySet<BenefitDateKind> = new Set([
  'plan',
  'plan_begin',
  'eligibility',
  'eligibility_begin',
  'benefit',
  'benefit_begin',
  'period_start',
  'policy_effective',
]);

/** Dates that end it. */
const ENDS: ReadonlySet<BenefitDateKind> = new Set([
  'plan_end',
  'eligibility_end',
  'benefit_end',
  'period_end',
  'policy_expiration',
]);

/** Whether the row's own dates leave the day in: last year's deductible says nothing of this year's. */
function isOfDay({ dates }: Benefit, day: string): boolean {
  return dates.every(({ kind, start, end }) => {
    if (ENDS.has(kind)) return (end ?? start ?? day) >= day;
    return !BEGINS.has(kind) || ((start ?? day) <= day && (end ?? day) >= day);
  });
}

/** Whether a row holds for some places, ages or diagnoses, or above or below a limit alone. */
export function isNarrow({ service, quantity, period, source }: Benefit): boolean {
  return (
    service.places.length > 0 ||
    quantity?.unit === 'age_at_most' ||
    quantity?.unit === 'age_at_least' ||
    period === 'exceeded' ||
    period === 'not_exceeded' ||
    period === 'outlier' ||
    (source.kind === 'x12' && source.segments.some((segment) => /^\s*III/i.test(segment)))
  );
}
