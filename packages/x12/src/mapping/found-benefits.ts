import {
  type BenefitReading,
  type CoverageBenefits,
  type CoverageOrder,
  type InsurancePlanData,
  type RequestInfo,
  summariseBenefits,
  unansweredServices,
} from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import { distinctNumbers } from './coverages/plan-numbers.ts';
import { OTHER_PAYER } from './eb-codes.ts';
import type { ReadEntry } from './insurance-entry.ts';
import { gathered, keptRow, type KeptRow } from './kept-row.ts';
import { loopOfRow, type PlacedMember, relationshipOf } from './placed-member.ts';
import { onlyOrder, ORDER_OF_TYPE } from './slugs-of-row.ts';
import { askedProcedures, askedServiceTypes } from './to-eligibility-inquiry.ts';

/** The benefits of one coverage, with its entry. */
export interface FoundBenefits extends Pick<CoverageBenefits, 'group_number' | 'relationship' | 'order'> {
  /** The payer's rows, in the order of the answer. */
  readonly rows: readonly KeptRow[];
  /** What all rows say together, where `rows` does not say it: some are left out, or the loop around has days. */
  readonly whole: Pick<CoverageBenefits, 'summary' | 'unanswered'> | null;
}

/** More rows than any payer sends, and more text than a page shows: bounds the cost of a hostile answer. */
const ROW_COUNT_MAX = 2_000;
const ROW_TEXT_LENGTH_MAX = 262_144;

/**
 * The benefits of each entry, and how many rows are left out since they are too many. Every EB that counts for the patient
 * is in exactly one, in the order of the answer: a row that names two other payers in the first of them, a row that no
 * entry took in the first entry.
 */
export function foundBenefits(
  placed: PlacedMember,
  entries: readonly ReadEntry[],
  request: RequestInfo,
): { readonly benefits: FoundBenefits[]; readonly leftOut: number } {
  const { member } = placed;
  const entryOf = new Map<Benefit, number>();
  if (entries.length > 1)
    for (const [index, { rows }] of entries.entries())
      for (const row of rows) if (!entryOf.has(row)) entryOf.set(row, index);
  const lists: KeptRow[][] = entries.map(() => []);
  let room = ROW_TEXT_LENGTH_MAX;
  let count = 0;
  for (const benefit of member.benefits) {
    if (count === ROW_COUNT_MAX) break;
    const inquiry = placed.ofInquiries?.get(benefit)?.inquiry;
    const kept = keptRow(benefit, {
      row: count,
      loop: loopOfRow(placed, benefit),
      ...(inquiry !== undefined && { inquiry }),
    });
    for (const segment of kept.segments) room -= segment.length;
    if (room < 0) break;
    lists[entryOf.get(benefit) ?? 0]?.push(kept);
    count += 1;
  }
  const leftOut = member.benefits.length - count;
  const benefits = entries.map((entry, index) => {
    const { data, rows, reading, isByLoop, orderByRole } = entry;
    const isOther = rows[0]?.code === OTHER_PAYER;
    return {
      group_number: groupNumberOf(placed, entry, isOther),
      relationship: isOther ? null : relationshipOf(placed),
      order: isOther ? orderByRole : orderByType(rows, reading),
      rows: lists[index] ?? [],
      whole: reading === null || (leftOut === 0 && !isByLoop) ? null : wholeOf(reading, data, request),
    };
  });
  return { benefits, leftOut };
}

/** The summary of all rows: one of those that are kept could have a value that a row left out contradicts. */
function wholeOf(
  reading: BenefitReading,
  data: InsurancePlanData,
  request: RequestInfo,
): FoundBenefits['whole'] {
  const types = askedServiceTypes(request);
  const procedures = askedProcedures(request);
  const isPlanAnswered = data.plan_info.eligibility_status !== null;
  return {
    summary: summariseBenefits(reading, types, procedures),
    unanswered: unansweredServices(reading, { types, procedures, isPlanAnswered }),
  };
}

/** REF01 of a group's number, the plainer one first. */
const GROUPS = ['6P', '1L'];

/** Of the coverage, else of the subscriber: the one number of the first kind that has any, null where it has several. */
function groupNumberOf(placed: PlacedMember, { numbers, rows }: ReadEntry, isOther: boolean): string | null {
  // A row with a company has that company's number.
  const own = rows.filter(({ entities }) => entities.length === 0);
  const lists = isOther ? [numbers] : [numbers, gathered(own, 'references'), placed.subscriber.references];
  for (const list of lists)
    for (const group of GROUPS) {
      const [only, ...others] = distinctNumbers(list, group);
      if (only !== undefined) return others.length === 0 ? only : null;
    }
  return null;
}

/** Of rows for other people than the patient no type counts. */
function orderByType(rows: readonly Benefit[], reading: BenefitReading | null): CoverageOrder | null {
  const orders: (CoverageOrder | undefined)[] = [];
  let before: string | null = null;
  for (const [place, { insuranceType }] of rows.entries()) {
    if (reading?.rows[place]?.isTheirs === false) continue;
    // Payers repeat the type on each row.
    if (insuranceType !== null && insuranceType !== before) orders.push(ORDER_OF_TYPE.get(insuranceType));
    before = insuranceType;
  }
  return onlyOrder(orders);
}
