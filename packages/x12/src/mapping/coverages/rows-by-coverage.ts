import { planFinder } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { OTHER_PAYER } from '../eb-codes.ts';
import type { PlacedMember } from '../placed-member.ts';
import type { Coverage } from './coverages-of.ts';
import { differInNumbers, numbersOf, type PlanNumbers } from './plan-numbers.ts';

/**
 * The rows of each coverage: those that name its plan or, without a name, have its insurance type; of a coverage for single
 * services only, those about them. If several coverages fit, a row belongs to the one whose rows are before it; of several
 * periods of that plan, to the one that holds the service date. Other payers' rows belong to none. A row of a later answer
 * is after the row that the payer repeated before it.
 */
export function rowsByCoverage(
  coverages: readonly Coverage[],
  planNames: readonly (string | null)[],
  benefits: readonly Benefit[],
  ofInquiries?: PlacedMember['ofInquiries'],
): readonly Benefit[][] {
  if (coverages.length === 1) return [benefits.filter(({ code }) => code !== OTHER_PAYER)];
  const rows: Benefit[][] = coverages.map(() => []);
  const ownerOfPlace = new Map<number, number>();
  for (const [index, { places }] of coverages.entries())
    for (const place of places) ownerOfPlace.set(place, index);
  const plans = { find: planFinder(planNames), byNumber: coveragesByNumber(coverages) };
  const placeOf = ofInquiries && new Map(benefits.map((row, place) => [row, place]));
  let latest = 0;
  for (const [place, row] of benefits.entries()) {
    const own = ownerOfPlace.get(place);
    const after = ofInquiries?.get(row)?.after;
    // The rows before it in its own answer are left out here, where the first has them too.
    if (after !== undefined) latest = (after && ownerOfPlace.get(placeOf?.get(after) ?? -1)) ?? 0;
    if (own !== undefined) latest = own;
    if (row.code === OTHER_PAYER) continue;
    const owner = own ?? ownerOf(row, coverages, planNames, plans, latest);
    rows[owner]?.push(row);
  }
  return rows;
}

function ownerOf(
  row: Benefit,
  coverages: readonly Coverage[],
  planNames: readonly (string | null)[],
  plans: Plans,
  latest: number,
): number {
  const { insuranceType, inNetwork } = row;
  const named = namedBy(row, coverages, plans);
  const isNamed = (index: number) => {
    const coverage = coverages[index];
    if (!coverage || (named !== null && !named.includes(index))) return false;
    if (named === null && insuranceType !== null && coverage.insuranceType !== insuranceType) return false;
    return !isOfOtherNetwork(inNetwork, coverage.network);
  };
  const fits = (index: number) => isNamed(index) && isAbout(row, coverages[index]);
  const first = (is: (index: number) => boolean) =>
    is(latest) ? latest : coverages.findIndex((_, index) => is(index));
  const fitting = first(fits);
  // A row that names its plan is that plan's, also where no status row is about its service.
  const near = fitting === -1 && named !== null ? first(isNamed) : fitting;
  if (near === -1)
    return named === null && isAbout(row, coverages[latest]) ? latest : firstOfPlan(coverages, latest);
  const isHeld = (index: number) => coverages[index]?.status === coverages[index]?.saidStatus;
  if (isHeld(near)) return near;
  const name = planNames[near] ?? null;
  const isPlanRow = (index: number) =>
    name === null ? planNames[index] === null : plans.find(name).includes(index);
  const isHeldSister = (index: number) => isPlanRow(index) && isHeld(index) && fits(index);
  const sister = coverages.findIndex((_, index) => isHeldSister(index));
  return sister === -1 ? near : sister;
}

/** Whether a row is for one network (EB12), and the coverage for the other. */
function isOfOtherNetwork(row: string | null, coverage: string | null): boolean {
  return coverage !== null && (row === 'Y' || row === 'N') && row !== coverage;
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

/** The coverages whose plan a row names, by a number of theirs or in EB05; null for a row that names none. */
function namedBy(
  { planName, references }: Benefit,
  coverages: readonly Coverage[],
  { find, byNumber }: Plans,
): readonly number[] | null {
  const numbers = numbersOf(references);
  const sharing = new Set<number>();
  for (const key of keysOf(numbers)) for (const index of byNumber.get(key) ?? []) sharing.add(index);
  const fitting: number[] = [];
  for (const index of sharing) {
    const coverage = coverages[index];
    if (coverage && !differInNumbers(numbers, coverage.numbers)) fitting.push(index);
  }
  if (fitting.length > 0) return fitting.toSorted((one, other) => one - other);
  return planName === null ? null : find(planName);
}

/** What finds the coverages whose plan a row names. */
interface Plans {
  readonly find: ReturnType<typeof planFinder>;
  readonly byNumber: ReadonlyMap<string, readonly number[]>;
}

function coveragesByNumber(coverages: readonly Coverage[]): Plans['byNumber'] {
  const byNumber = new Map<string, number[]>();
  for (const [index, { numbers }] of coverages.entries())
    for (const key of keysOf(numbers)) {
      const alike = byNumber.get(key);
      if (alike) alike.push(index);
      else byNumber.set(key, [index]);
    }
  return byNumber;
}

function* keysOf(numbers: PlanNumbers): Generator<string> {
  for (const [kind, values] of numbers) for (const value of values) yield `${kind} ${value}`;
}
