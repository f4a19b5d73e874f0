import type { CoverageBenefits } from '@insurance-verification/schema';

/** What was said beside the entries of a result, as it is kept: `result.benefits`, sealed JSON. */
export interface StoredBenefits {
  /** The day that was asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** How many rows of the payer's answer are not kept, since they are too many. */
  readonly leftOut: number;
  /** One for each entry of `insuranceData`. */
  readonly coverages: readonly StoredCoverage[];
}

export interface StoredCoverage extends Pick<CoverageBenefits, 'group_number' | 'relationship' | 'order'> {
  readonly rows: readonly StoredRow[];
}

/** A row of a 271 as it was sent: `KeptRow` of the package x12, which alone knows what it means. */
export interface StoredRow {
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  readonly delimiters: string;
  readonly segments: readonly string[];
}
