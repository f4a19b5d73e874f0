import type { ErrorReason, InsurancePlanData } from '@insurance-verification/schema';
import type { FoundBenefits } from './benefits/found-benefits.ts';

/** The outcome of an answer. */
export type Finding =
  /** The payer stated the coverage. Inactive and out of network count. */
  | {
      readonly kind: 'result';
      readonly insuranceData: InsurancePlanData[];
      /** The payer's rows, one list for each entry of `insuranceData`. */
      readonly benefits: readonly FoundBenefits[];
      /** The day that was asked about, `YYYY-MM-DD`. */
      readonly serviceDate: string;
      /** How many further rows are not in `benefits`, since they are too many. */
      readonly leftOut: number;
      /** The payer's codes that the notes come from, such as `AAA 71`. */
      readonly payerCodes: readonly string[];
    }
  /** The payer did not state the coverage. */
  | {
      readonly kind: 'no_result';
      readonly reason: ErrorReason;
      /** The payer's own codes for the reason, the deciding one first: `AAA 72`, `EB V`, `TA1 R 022`, `999 R`. */
      readonly payerCodes: readonly string[];
      /**
       * Whether the same inquiry, sent again soon, may be answered: the payer said that it could not at the moment, or no
       * payer was reached at all.
       */
      readonly mayRetry: boolean;
      /**
       * The reason is ours, not the payer's: none of the named members is certainly the patient.
       * Another channel may verify, whatever the reason.
       */
      readonly isUnsure: boolean;
      /** What was said anyway: coverages without a status, other payers. */
      readonly insuranceData: InsurancePlanData[];
    };
