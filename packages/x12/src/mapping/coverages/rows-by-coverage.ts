import type { Benefit } from '../../answer/eligibility-answer.ts';
import { plainText } from '../plain-text.ts';
import { OTHER_PAYER } from './benefit-codes.ts';
import type { Coverage } from './coverages-of.ts';

/**
 * The rows of each coverage: what names its plan or, without a name, has its insurance type. Of several coverages that
 * fit, a row belongs to the one whose rows stand before it. Other payers' rows are nobody's.
 */
export function rowsByCoverage(
  coverages: readonly Coverage[],
  benefits: readonly Benefit[],
): readonly Benefit[][] {
  const rows: Benefit[][] = coverages.map(() => []);
  if (coverages.length === 0) return rows;
  const ownerOfPlace = new Map(
    coverages.flatMap(({ places }, index) => places.map((place) => [place, index])),
  );
  const plains = coverages.map(({ planName }) => (planName === null ? null : plainText(planName)));
  let latest = 0;
  for (const [place, row] of benefits.entries()) {
    const own = ownerOfPlace.get(place);
    if (own !== undefined) latest = own;
    if (row.code === OTHER_PAYER) continue;
    const owner = own ?? (coverages.length === 1 ? 0 : ownerOf(row, coverages, plains, latest));
    rows[owner]?.push(row);
  }
  return rows;
}

function ownerOf(
  { planName, insuranceType }: Benefit,
  coverages: readonly Coverage[],
  plains: readonly (string | null)[],
  latest: number,
): number {
  const plain = planName === null ? null : plainText(planName);
  const fits = (index: number) =>
    (plain === null || plains[index] === plain) &&
    (plain !== null || insuranceType === null || coverages[index]?.insuranceType === insuranceType);
  if (fits(latest)) return latest;
  const fitting = coverages.findIndex((_, index) => fits(index));
  return fitting === -1 ? latest : fitting;
}
