import {
  ConflictError,
  ConnectionError,
  type InsuranceVerificationError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
} from '../errors.ts';
import type { Call } from './call.ts';

/** The limits of retries. */
export interface RetryLimits {
  /** Further attempts after the first one. */
  readonly retryCountMax: number;
  /** The longest wait between two attempts, in milliseconds. */
  readonly retryDelayMsMax: number;
}

/** The longest first wait, on top of what the service asks for; it doubles with each attempt. */
const FIRST_DELAY_MS = 250;

/**
 * Retries temporary failures:
 *
 * | failed with                        | retried                                                |
 * | ---------------------------------- | ------------------------------------------------------ |
 * | 409 `idempotency_in_progress`      | yes: the first call with the key is about to answer    |
 * | 429                                | yes: nothing was done                                  |
 * | 502, 503, 504, no connection, time | only an idempotent call                                |
 * | anything else                      | no                                                     |
 *
 * The caller must wait for a `Retry-After` longer than `retryDelayMsMax`: the error is thrown at once, and contains it.
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
 * Doubles, with full jitter, which spreads out callers that failed together. It is added to what the service asked for:
 * twenty callers with one Idempotency-Key that all waited exactly their second collided again and again.
 */
function backoffMs(retryCount: number): number {
  return Math.random() * FIRST_DELAY_MS * 2 ** retryCount;
}

/** @throws the signal's abort reason. */
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
