import { isOfPatient, type PatientRelationship } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { statusOf, WHOLE_PLAN } from '../eb-codes.ts';
import { levelOf } from '../slugs.ts';

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

/** Of those, the ones whose status is the plan's. */
export function decidingRows(benefits: readonly Benefit[], stated: readonly number[]): readonly number[] {
  const isWhole = (place: number) => benefits[place]?.serviceTypes.includes(WHOLE_PLAN);
  const isUnspecific = (place: number) =>
    benefits[place]?.serviceTypes.length === 0 && benefits[place].procedures.length === 0;
  for (const decides of [isWhole, isUnspecific]) {
    const deciding = stated.filter(decides);
    if (deciding.length > 0) return deciding;
  }
  const ofServices = stated.filter((place) => benefits[place] && !isOfProcedure(benefits[place]));
  const rest = ofServices.length > 0 ? ofServices : stated;
  const isActive = (place: number) => statusOf(benefits[place]?.code ?? '') === 'Active';
  for (const decides of [(place: number) => benefits[place]?.planName, isActive]) {
    const deciding = rest.filter(decides);
    if (deciding.length > 0) return deciding;
  }
  return rest;
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
