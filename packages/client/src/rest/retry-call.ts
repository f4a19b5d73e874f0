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

/** The first wait where the service asks for none; it doubles from one attempt to the next. */
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
      const delayMs = mayPass(err, call) ? delayMsOf(err, retryCount) : Number.POSITIVE_INFINITY;
      if (retryCount >= limits.retryCountMax || delayMs > limits.retryDelayMsMax) throw err;
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

/** What the service asked for, or doubling waits, spread over half their length: callers that fail together come apart. */
function delayMsOf(err: InsuranceVerificationError, retryCount: number): number {
  const asked = 'retryAfterSeconds' in err ? (err.retryAfterSeconds as number | undefined) : undefined;
  if (asked !== undefined) return asked * 1000;
  return FIRST_DELAY_MS * 2 ** retryCount * (0.5 + Math.random() / 2);
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
