import type { CoverageBenefits, SubmittedBenefit } from '@insurance-verification/schema';

/** The benefits of a result as stored: `result.benefits`, encrypted JSON. */
export interface StoredBenefits extends FoundBenefits {
  /** The number of the attempt that found it. */
  readonly attempt: number;
  /** The payer's reference number for the call or inquiry; null if it gave none. */
  readonly reference: string | null;
}

/** The benefits of a submission. */
export interface FoundBenefits {
  /** The service date, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** The number of rows of the payer's answer that were dropped, since there were too many. */
  readonly leftOut: number;
  /** One for each entry of `insuranceData`. */
  readonly coverages: readonly StoredCoverage[];
}

export interface StoredCoverage extends Pick<CoverageBenefits, 'group_number' | 'relationship' | 'order'> {
  readonly rows: readonly (StoredRow | SubmittedRow)[];
  /** What all rows of the payer's answer say together, where some were dropped. */
  readonly whole?: Pick<CoverageBenefits, 'summary' | 'unanswered'> | null;
}

/** A row of a 271 as it was sent: `KeptRow` of the package x12, which interprets it. */
interface StoredRow {
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  readonly inquiry?: number;
  readonly delimiters: string;
  readonly segments: readonly string[];
}

/** A benefit as a person or an agent submitted it, without members that are null or empty. */
export interface SubmittedRow {
  /** Its position among those of the submission, from 0. */
  readonly row: number;
  readonly submitted: SubmittedBenefit;
}

/** Adds the number of the attempt that found them, and the payer's reference. */
export function storedBenefits(
  found: FoundBenefits,
  attempt: number,
  reference: string | null | undefined,
): StoredBenefits {
  return { ...foundPart(found), attempt, reference: reference ?? null };
}

/**
 * Dates benefits by the service date of the request, if it has one: a person's or an agent's rows are stored with the
 * day of their answer.
 */
export function ofDay(benefits: StoredBenefits | null, serviceDate: string | null): StoredBenefits | null {
  return benefits && serviceDate !== null ? { ...benefits, serviceDate } : benefits;
}

/** The submitted part, without the attempt: a repeated submission is recognized by it. */
export function foundPart({ serviceDate, leftOut, coverages }: FoundBenefits): FoundBenefits {
  return { serviceDate, leftOut, coverages };
}
