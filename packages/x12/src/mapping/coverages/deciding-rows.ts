import { type EligibilityStatus, planFinder } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { Coverage } from './coverages-of.ts';

/** The positions of the rows with a status. */
export function statusRows(benefits: readonly Benefit[]): readonly number[] {
  const places: number[] = [];
  let place = 0;
  for (const { code } of benefits) {
    if (statusOf(code) !== undefined) places.push(place);
    place += 1;
  }
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

/**
 * The rows of each coverage: those that name its plan or, without a name, have its insurance type; of a coverage for single
 * services only, those about them. If several coverages fit, a row belongs to the one whose rows are before it; of several
 * periods of that plan, to the one that holds the service date. Other payers' rows belong to none.
 */
export function rowsByCoverage(
  coverages: readonly Coverage[],
  benefits: readonly Benefit[],
): readonly Benefit[][] {
  if (coverages.length === 1) return [benefits.filter(({ code }) => code !== OTHER_PAYER)];
  const rows: Benefit[][] = coverages.map(() => []);
  const ownerOfPlace = new Map<number, number>();
  for (const [index, { places }] of coverages.entries())
    for (const place of places) ownerOfPlace.set(place, index);
  const find = planFinder(coverages.map(({ planName }) => planName));
  let latest = 0;
  for (const [place, row] of benefits.entries()) {
    const own = ownerOfPlace.get(place);
    if (own !== undefined) latest = own;
    if (row.code === OTHER_PAYER) continue;
    const owner = own ?? ownerOf(row, coverages, find, latest);
    rows[owner]?.push(row);
  }
  return rows;
}

function ownerOf(
  row: Benefit,
  coverages: readonly Coverage[],
  find: ReturnType<typeof planFinder>,
  latest: number,
): number {
  const { planName, insuranceType } = row;
  const named = planName === null ? null : find(planName);
  const fits = (index: number) => {
    const coverage = coverages[index];
    if (!coverage || (named !== null && !named.includes(index))) return false;
    if (named === null && insuranceType !== null && coverage.insuranceType !== insuranceType) return false;
    return isAbout(row, coverage);
  };
  const near = fits(latest) ? latest : coverages.findIndex((_, index) => fits(index));
  if (near === -1)
    return named === null && isAbout(row, coverages[latest]) ? latest : firstOfPlan(coverages, latest);
  const isHeld = (index: number) => coverages[index]?.status === coverages[index]?.saidStatus;
  if (isHeld(near)) return near;
  const name = coverages[near]?.planName ?? null;
  const isPlanRow = (index: number) =>
    name === null ? coverages[index]?.planName === null : find(name).includes(index);
  const isHeldSister = (index: number) => isPlanRow(index) && isHeld(index) && fits(index);
  const sister = coverages.findIndex((_, index) => isHeldSister(index));
  return sister === -1 ? near : sister;
}

/** Of a coverage for single services only, whether the row is about one of them: a dental plan's codes are dental. */
function isAbout({ serviceTypes, procedures }: Benefit, coverage: Coverage | undefined): boolean {
  if (!coverage || coverage.services.length + coverage.procedures.length === 0) return true;
  if (serviceTypes.length > 0) return serviceTypes.some((type) => coverage.services.includes(type));
  if (procedures.length === 0) return true;
  const isDental = coverage.services.some((type) => DENTAL_TYPES.test(type));
  return procedures.some(
    ({ qualifier, code }) => (qualifier === 'AD' && isDental) || coverage.procedures.includes(code),
  );
}

/** Service types of dental care. */
const DENTAL_TYPES = /^(2[3-8]|3[5-9]|4[01])$/;

function firstOfPlan(coverages: readonly Coverage[], latest: number): number {
  const index = coverages.findIndex(({ services, procedures }) => services.length + procedures.length === 0);
  return index === -1 ? latest : index;
}

/** EB01 "active, pending". */
export const PENDING = '5';

/** EB01 "non-covered". */
export const NON_COVERED = 'I';

/** EB01 "exclusions". */
export const EXCLUDED = 'E';

/** EB01 "other or additional payer". */
export const OTHER_PAYER = 'R';

/** EB03, the service type of the whole plan. */
export const WHOLE_PLAN = '30';

/** The status of an EB01: null for codes that refer elsewhere, undefined for codes without a status. */
export function statusOf(code: string): EligibilityStatus | null | undefined {
  switch (code) {
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
      return 'Active';
    case '6':
    case '7':
    case '8':
      return 'Inactive';
    case 'U':
    case 'V':
    case 'W':
      return null;
    default:
      return undefined;
  }
}
