import type { ErrorReason, InsurancePlanData, RequestInfo } from '@insurance-verification/schema';

/** What an answer is read with. */
export interface AnswerContext {
  readonly request: RequestInfo;
  /** The trace of the inquiry: an answer that echoes another is not ours. */
  readonly requestId: string;
  /** The day that was asked for, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** The payer names of the configuration: `payer_name` holds no other. */
  readonly payerNames: readonly string[];
  /** IANA name; the payer's clock, by which BHT04/05 is told. */
  readonly payerTimeZone: string;
  /** Stands in when the answer does not say when it was made. */
  readonly receivedAt: Date;
  /** The `person_uuid` of every entry. */
  readonly personUuid: string;
}

/** What an answer comes to. */
export type Finding =
  /** The payer said how the patient is covered; Inactive and out of network are that too. */
  | {
      readonly kind: 'result';
      readonly insuranceData: InsurancePlanData[];
      /** The payer's codes that stand behind the notes, as `AAA 71`. */
      readonly payerCodes: readonly string[];
    }
  /** It did not. */
  | {
      readonly kind: 'no_result';
      readonly reason: ErrorReason;
      /** The payer's own codes behind the reason, the deciding one first: `AAA 72`, `EB V`, `TA1 R 022`, `999 R`. */
      readonly payerCodes: readonly string[];
      /**
       * Whether the same inquiry, sent again soon, may be answered: the payer said that it could not at the moment, or no
       * payer was reached at all.
       */
      readonly mayRetry: boolean;
      /** What was said all the same: coverages without a status, other payers. */
      readonly insuranceData: InsurancePlanData[];
    };
