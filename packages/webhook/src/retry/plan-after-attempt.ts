import { RETRY_AFTER_SECONDS_MAX } from '../sending/answer/parse-retry-after.ts';
import type { SendResult } from '../sending/send-result.ts';
import { DEFAULT_RETRY_SCHEDULE, delayBeforeAttempt, type RetrySchedule } from './retry-schedule.ts';

/** Shorter delays are kept exactly: the first retry should be prompt, and tests use short schedules. */
const JITTER_FROM_SECONDS = 5;
const JITTER_SHARE = 0.2;
/** For a receiver that reports overload, or shows it by timing out. */
const OVERLOADED_SECONDS_MIN = 60;
const OVERLOADED_STATUSES: ReadonlySet<number | null> = new Set([429, 502, 504]);

/** What to do after an attempt. The reasons are the service's `error_reason` slugs. */
export type AttemptPlan =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delaySeconds: number }
  | { readonly kind: 'exhausted'; readonly reason: ExhaustedReason };

/**
 * Why a delivery ended without success: the receiver answered 410 (`webhook_gone`), or the round's last
 * attempt failed, at an address that may not be called (`webhook_blocked_address`) or in any other way
 * (`webhook_exhausted`).
 */
export type ExhaustedReason = 'webhook_exhausted' | 'webhook_gone' | 'webhook_blocked_address';

/** One finished attempt within its round. */
export interface PlanAfterAttemptOptions {
  readonly schedule: RetrySchedule;
  /** Counted from 1 in every round. */
  readonly attemptNumber: number;
  readonly result: Pick<SendResult, 'outcome' | 'statusCode' | 'retryAfterSeconds'>;
  /** From 0 up to, not including, 1: `Math.random`, or a seeded source. Called at most once. */
  readonly random: () => number;
}

/**
 * Decides what follows an attempt. Pure.
 *
 * - 2xx: delivered. 410: exhausted at once. Anything else is retried until the schedule ends, even a blocked address,
 *   since DNS changes.
 * - Delays of 5 s and more get ±20 % jitter.
 * - 429, 502, 504 and time-outs wait at least 60 s, but only on the default schedule: a custom schedule is deliberate.
 * - `Retry-After` lengthens the delay, never shortens it, and counts for at most 24 hours.
 */
export function planAfterAttempt({
  schedule,
  attemptNumber,
  result,
  random,
}: PlanAfterAttemptOptions): AttemptPlan {
  if (result.outcome === 'succeeded') return { kind: 'delivered' };
  if (result.outcome === 'gone') return { kind: 'exhausted', reason: 'webhook_gone' };
  if (attemptNumber >= schedule.length) {
    const isBlocked = result.outcome === 'blocked_address';
    return { kind: 'exhausted', reason: isBlocked ? 'webhook_blocked_address' : 'webhook_exhausted' };
  }
  const planned = delayBeforeAttempt(schedule, attemptNumber + 1);
  const jittered =
    planned < JITTER_FROM_SECONDS ? planned : planned * (1 + JITTER_SHARE * (2 * random() - 1));
  const isOverloaded = result.outcome === 'timeout' || OVERLOADED_STATUSES.has(result.statusCode);
  const overloadedSeconds = isOverloaded && isDefault(schedule) ? OVERLOADED_SECONDS_MIN : 0;
  const retryAfterSeconds = Math.min(result.retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX);
  return { kind: 'retry', delaySeconds: Math.max(jittered, overloadedSeconds, retryAfterSeconds) };
}

/** Compared by value: a configured schedule that spells out the default counts as the default. */
function isDefault(schedule: RetrySchedule): boolean {
  return (
    schedule.length === DEFAULT_RETRY_SCHEDULE.length &&
    schedule.every((delaySeconds, index) => delaySeconds === DEFAULT_RETRY_SCHEDULE[index])
  );
}
