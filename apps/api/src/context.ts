import type { LiveKey, Store } from '@insurance-verification/store';
import type { Config } from './config.ts';
import type { PublicError } from './problem.ts';
import type { Services } from './services.ts';

/** What a handler knows of the call it answers, through whichever door it came. */
export interface Context extends Services {
  readonly store: Store;
  readonly config: Config;
  /** Names this call in the log, and in a 5xx answer. */
  readonly trace: string;
  /** The caller's live key, looked up at most once a call; null without a valid one. */
  readonly caller: () => Promise<LiveKey | null>;
  /** The header `Idempotency-Key` as it came. */
  readonly idempotencyKey: string | undefined;
  readonly setHeader: (name: string, value: string) => void;
  /** Notes the request that a call is about, for its log line. */
  readonly concerns: (requestId: string) => void;
  /** Notes the error that a call ends with, for its log line. */
  readonly failed: (err: PublicError) => void;
}
