import { chosenPeriod, excludesDay } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';
import {
  benefitPeriods,
  closedByDeath,
  coveragePeriod,
  DEATH,
  isOpen,
  rowPeriod,
} from './coverage-period.ts';

interface PlanDays {
  readonly period: Period;
  readonly otherPeriods: readonly Period[];
}

/** The days of rows for the plan. Where some have days and others none, those without hold next to a period that does not. */
export function planDays(
  rows: readonly Benefit[],
  outer: readonly DatedPeriod[],
  serviceDate: string,
): PlanDays {
  const dated = rows.filter(({ dates }) => !isOpen(rowPeriod(dates, serviceDate)));
  const around = coveragePeriod([], outer, serviceDate);
  // Mirrored days and death are in rows without a period too.
  const all = coveragePeriod(
    rows.map(({ dates }) => dates),
    outer,
    serviceDate,
  );
  const isMixed = dated.length > 0 && dated.length < rows.length;
  if (isMixed && excludesDay(all, serviceDate) && !excludesDay(around, serviceDate))
    return { period: around, otherPeriods: [all] };
  return { period: all, otherPeriods: [] };
}

/** A coverage of single services holds on a day that one of them holds; its begin and end are those of the ones that do. */
export function serviceDays(rows: readonly Benefit[], outer: readonly DatedPeriod[], serviceDate: string) {
  const stated = rows.map((row) => ({
    period: endedBenefit(row, serviceDate) ?? coveragePeriod([row.dates], outer, serviceDate),
    types: row.serviceTypes,
    codes: row.procedures.map((one) => procedureText({ ...one, modifiers: [] })),
  }));
  const held = stated.filter(({ period }) => !excludesDay(period, serviceDate));
  const counting = held.length > 0 ? held : stated;
  const heldServices = new Set(counting.flatMap(({ types }) => types));
  const others = stated.filter(
    ({ period, types }) =>
      excludesDay(period, serviceDate) && types.length > 0 && types.every((type) => heldServices.has(type)),
  );
  const periods = counting.map(({ period }) => period);
  const deaths = rows.flatMap(({ dates }) => dates.filter(({ qualifier }) => qualifier === DEATH));
  return {
    period: closedByDeath(
      (held.length > 0 ? joined(periods) : chosenPeriod(periods, serviceDate)) ?? { start: null, end: null },
      deaths,
    ),
    otherPeriods: held.length > 0 ? distinctPeriods(others.map(({ period }) => period)) : [],
    heldServices: [...heldServices],
    heldProcedures: [...new Set(counting.flatMap(({ codes }) => codes))],
  };
}

/** The benefit period (348, 349) of a service whose benefit is over or has not begun, whatever its plan's days are. */
function endedBenefit({ dates }: Benefit, serviceDate: string): Period | null {
  const period = chosenPeriod(benefitPeriods(dates), serviceDate);
  return period !== null && excludesDay(period, serviceDate) ? period : null;
}

/** More than any payer sends. */
const OTHER_PERIOD_COUNT_MAX = 5;

function distinctPeriods(periods: readonly Period[]): readonly Period[] {
  const byText = new Map(periods.map((period) => [`${period.start} ${period.end}`, period]));
  return [...byText.values()].slice(0, OTHER_PERIOD_COUNT_MAX);
}

/** From the first begin to the last end, of periods that all hold one day; open where one with a begin is. */
function joined(periods: readonly Period[]): Period {
  let start: string | null = null;
  let end: string | null = null;
  let isEndless = false;
  for (const period of periods) {
    if (period.start !== null && (start === null || period.start < start)) start = period.start;
    if (period.end === null) isEndless ||= period.start !== null;
    else if (end === null || period.end > end) end = period.end;
  }
  return { start, end: isEndless ? null : end };
}
