import type { RequestInfo } from '@insurance-verification/schema';

/** The context for reading an answer. */
export interface AnswerContext {
  readonly request: RequestInfo;
  /** The trace of the inquiry. An answer that echoes another trace is not ours. */
  readonly requestId: string;
  /** The service date asked about, `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** The configured payer names, the only values of `payer_name`. */
  readonly payerNames: readonly string[];
  /** IANA name of the payer's zone, in which BHT04/05 is written. */
  readonly payerTimeZone: string;
  /** Used when the answer has no time of its own. */
  readonly receivedAt: Date;
  /** The `person_uuid` of every entry. */
  readonly personUuid: string;
}
