import type { CoverageBenefits, SubmittedBenefit } from '@insurance-verification/schema';

/** What was said beside the entries of a result, as it is kept: `result.benefits`, sealed JSON. */
export interface StoredBenefits extends FoundBenefits {
  /** The number of the attempt that found it. */
  readonly attempt: number;
  /** The payer's reference number for the call or inquiry; null: none was given. */
  readonly reference: string | null;
}

/** As it is handed in. */
export interface FoundBenefits {
  /** The day that was asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** How many rows of the payer's answer are not kept, since they are too many. */
  readonly leftOut: number;
  /** One for each entry of `insuranceData`. */
  readonly coverages: readonly StoredCoverage[];
}

export interface StoredCoverage extends Pick<CoverageBenefits, 'group_number' | 'relationship' | 'order'> {
  readonly rows: readonly (StoredRow | SubmittedRow)[];
}

/** A row of a 271 as it was sent: `KeptRow` of the package x12, which alone knows what it means. */
interface StoredRow {
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  readonly delimiters: string;
  readonly segments: readonly string[];
}

/** A benefit as a person or an agent handed it in, without members that are null or empty. */
export interface SubmittedRow {
  /** Its position among those of the submission, from 0. */
  readonly row: number;
  readonly submitted: SubmittedBenefit;
}

/** With the attempt that found it, and the payer's reference there. */
export function storedBenefits(
  found: FoundBenefits,
  attempt: number,
  reference: string | null | undefined,
): StoredBenefits {
  return { ...foundPart(found), attempt, reference: reference ?? null };
}

/**
 * As of the day that the request asks about, where it names one: a person's or an agent's rows are kept with the day of
 * their answer.
 */
export function ofDay(benefits: StoredBenefits | null, serviceDate: string | null): StoredBenefits | null {
  return benefits && serviceDate !== null ? { ...benefits, serviceDate } : benefits;
}

/** Without who found it, by which the same handed in again is known. */
export function foundPart({ serviceDate, leftOut, coverages }: FoundBenefits): FoundBenefits {
  return { serviceDate, leftOut, coverages };
}
