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
import type { Reference } from '../parts/parts.ts';
import { OTHER_PAYER } from './eb-codes.ts';
import type { ReadEntry } from './insurance-entry.ts';
import { gathered, keptRow, type KeptRow } from './kept-row.ts';
import { loopOf, loopOfRows, type PlacedMember, relationshipOf } from './placed-member.ts';
import { ORDER_OF_ROLE, ORDER_OF_TYPE } from './slugs-of-row.ts';
import { askedProcedures, askedServiceTypes } from './to-eligibility-inquiry.ts';

/** The benefits of one coverage, with its entry. */
export interface FoundBenefits extends Pick<CoverageBenefits, 'group_number' | 'relationship' | 'order'> {
  /** The payer's rows, in the order of the answer. */
  readonly rows: readonly KeptRow[];
  /** What all rows say together, where some of them are left out; null where they are all in `rows`. */
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
  const loop = loopOfRows(placed);
  let room = ROW_TEXT_LENGTH_MAX;
  let count = 0;
  for (const benefit of member.benefits) {
    if (count === ROW_COUNT_MAX) break;
    const kept = keptRow(benefit, count, loop);
    for (const segment of kept.segments) room -= segment.length;
    if (room < 0) break;
    lists[entryOf.get(benefit) ?? 0]?.push(kept);
    count += 1;
  }
  const leftOut = member.benefits.length - count;
  const benefits = entries.map(({ data, rows, reading }, index) => {
    const isOther = rows[0]?.code === OTHER_PAYER;
    return {
      group_number: groupNumberOf(placed, rows, isOther),
      relationship: isOther ? null : relationshipOf(placed),
      order: isOther ? orderByRole(rows) : orderByType(rows),
      rows: lists[index] ?? [],
      whole: leftOut === 0 || reading === null ? null : wholeOf(reading, data, request),
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

/** Of the rows, else of the loop that they are in, else of the subscriber. */
function groupNumberOf(placed: PlacedMember, rows: readonly Benefit[], isOther: boolean): string | null {
  const [first] = rows;
  const own = numberAmong(gathered(rows, 'references'));
  if (own !== null || isOther) return own?.id ?? null;
  const loop = first ? loopOf(placed, first) : placed.member;
  return (numberAmong(loop.references) ?? numberAmong(placed.subscriber.references))?.id ?? null;
}

/** The one number of the first kind that has any; null where there are several. */
function numberAmong(references: readonly Reference[]): GroupNumber | null {
  for (const group of GROUPS) {
    const ids = new Set<string>();
    for (const { qualifier, id } of references) if (qualifier === group && id !== '') ids.add(id);
    const [only = null] = ids;
    if (ids.size > 0) return { id: ids.size === 1 ? only : null };
  }
  return null;
}

interface GroupNumber {
  readonly id: string | null;
}

function orderByRole(rows: readonly Benefit[]): CoverageOrder | null {
  return onlyOne(gathered(rows, 'entities').map(({ role }) => ORDER_OF_ROLE.get(role)));
}

function orderByType(rows: readonly Benefit[]): CoverageOrder | null {
  const orders: (CoverageOrder | undefined)[] = [];
  let before: string | null = null;
  for (const { insuranceType } of rows) {
    // Payers repeat the type on each row.
    if (insuranceType !== null && insuranceType !== before) orders.push(ORDER_OF_TYPE.get(insuranceType));
    before = insuranceType;
  }
  return onlyOne(orders);
}

/** The value that all rows with a value share. */
function onlyOne(orders: readonly (CoverageOrder | undefined)[]): CoverageOrder | null {
  const [first, ...others] = orders.filter((order) => order !== undefined);
  return first !== undefined && others.every((order) => order === first) ? first : null;
}
