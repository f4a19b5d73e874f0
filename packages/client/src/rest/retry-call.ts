import {
  ConflictError,
  ConnectionError,
  type InsuranceVerificationError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
} from '../errors.ts';
import type { Call } from './call.ts';

/** How often and how long a call is tried again. */
export interface RetryLimits {
  /** Further attempts after the first one. */
  readonly retryCountMax: number;
  /** The longest wait between two attempts, in milliseconds. */
  readonly retryDelayMsMax: number;
}

/** The longest first wait beside what the service asks for; it doubles from one attempt to the next. */
const FIRST_DELAY_MS = 250;

/**
 * Tries again what may pass:
 *
 * | failed with                        | tried again                                            |
 * | ---------------------------------- | ------------------------------------------------------ |
 * | 409 `idempotency_in_progress`      | yes: the first call with the key is about to answer    |
 * | 429                                | yes: nothing was done                                  |
 * | 502, 503, 504, no connection, time | only a call that does the same twice as once           |
 * | anything else                      | no                                                     |
 *
 * A `Retry-After` longer than `retryDelayMsMax` is the caller's to wait for: the error is thrown at once, and tells it.
 */
export async function retryCall<T>(call: Call, limits: RetryLimits, send: () => Promise<T>): Promise<T> {
  for (let retryCount = 0; ; retryCount += 1) {
    try {
      return await send();
    } catch (err) {
      const askedMs = mayPass(err, call) ? (askedSecondsOf(err) ?? 0) * 1000 : Number.POSITIVE_INFINITY;
      if (retryCount >= limits.retryCountMax || askedMs > limits.retryDelayMsMax) throw err;
      const delayMs = Math.min(askedMs + backoffMs(retryCount), limits.retryDelayMsMax);
      await wait(delayMs, call.signal);
    }
  }
}

function mayPass(err: unknown, { repeatable }: Call): err is InsuranceVerificationError {
  if (err instanceof TooManyRequestsError) return true;
  if (err instanceof ConflictError) return err.problemCode === 'idempotency_in_progress';
  return (
    repeatable &&
    (err instanceof UnavailableError || err instanceof ConnectionError || err instanceof TimeoutError)
  );
}

function askedSecondsOf(err: InsuranceVerificationError): number | undefined {
  return 'retryAfterSeconds' in err ? (err.retryAfterSeconds as number | undefined) : undefined;
}

/**
 * Doubles, at random over its whole length: callers that failed together come apart. It comes on top of what the service
 * asked for, too: twenty callers with one Idempotency-Key that all waited exactly their second met again and again.
 */
function backoffMs(retryCount: number): number {
  return Math.random() * FIRST_DELAY_MS * 2 ** retryCount;
}

/** @throws what the signal was aborted with. */
async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
  signal?.throwIfAborted();
}
