import { excludesDay, isOfPatient, type PatientRelationship } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';
import { statusOf, WHOLE_PLAN } from '../eb-codes.ts';
import { levelOf } from '../slugs.ts';
import { rowPeriod } from './coverage-period.ts';

/** The positions of the rows with a status. One for other people than the patient decides nothing. */
export function statusRows(
  benefits: readonly Benefit[],
  relationship: PatientRelationship | null,
): readonly number[] {
  const places: number[] = [];
  for (const [place, row] of benefits.entries())
    if (statusOf(row.code) !== undefined && isOfPatient(levelOf(row), relationship) !== false)
      places.push(place);
  return places;
}

/** Of those, the ones whose status is the plan's; without a row for the plan, active ones for services, else for codes too. */
export function decidingRows(
  benefits: readonly Benefit[],
  stated: readonly number[],
  serviceDate: string,
): readonly number[] {
  const isWhole = (place: number) => benefits[place]?.serviceTypes.includes(WHOLE_PLAN);
  const isUnspecific = (place: number) =>
    benefits[place]?.serviceTypes.length === 0 && benefits[place].procedures.length === 0;
  for (const decides of [isWhole, isUnspecific]) {
    const deciding = stated.filter(decides);
    if (deciding.length > 0) return deciding;
  }
  const ofServices = stated.filter((place) => benefits[place] && !isOfProcedure(benefits[place]));
  const isActive = (place: number) => statusOf(benefits[place]?.code ?? '') === 'Active';
  const isHeld = (place: number) =>
    isActive(place) && !excludesDay(rowPeriod(benefits[place]?.dates ?? NONE, serviceDate), serviceDate);
  const rest = ofServices.some(isHeld) || !stated.some(isHeld) ? ofServices : stated;
  const some = rest.length > 0 ? rest : stated;
  const active = some.filter(isActive);
  return active.length > 0 ? active : some;
}

/** A row for only a procedure says nothing about the plan. */
export function isOfProcedure({ serviceTypes, procedures }: Benefit): boolean {
  return serviceTypes.length === 0 && procedures.length > 0;
}

/** Whether the row is about the plan as a whole. */
export function isOfPlan(row: Benefit): boolean {
  return (
    row.serviceTypes.includes(WHOLE_PLAN) || (row.serviceTypes.length === 0 && row.procedures.length === 0)
  );
}
