import type { ProblemTrpcCode } from './trpc-codes.ts';

/** The properties of a problem. */
export interface ProblemFact {
  /** The HTTP status. */
  readonly status: number;
  /** The code of the same error over tRPC. */
  readonly trpcCode: ProblemTrpcCode;
  /** Whether the same call may succeed when sent again later without a change. */
  readonly retryable: boolean;
  /** RFC 9457 `title`. */
  readonly title: string;
  /** RFC 9457 `detail`. */
  readonly sentence: string;
}
