import { RETRY_AFTER_SECONDS_MAX } from './answer-reader.ts';
import type { SendResult } from './outcome.ts';

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

/**
 * The delays of one round of attempts, in seconds: the first one precedes the first attempt, each further one follows a
 * failed attempt. Its length is the number of attempts.
 */
export type RetrySchedule = readonly number[];

const ATTEMPTS_MAX = 50;
const DELAY_SECONDS_MAX = 30 * 86_400;
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Reads a schedule such as `0s,5s,5m,2h,1d`: 1 to 50 delays, whole numbers with a unit of ms, s, m, h or d,
 * none longer than 30 days. Spaces around the commas are ignored.
 *
 * @throws TypeError naming the entry and what was expected.
 */
export function parseRetrySchedule(text: string): RetrySchedule {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > ATTEMPTS_MAX) {
    throw new TypeError(`A retry schedule has 1 to ${ATTEMPTS_MAX} delays, this one has ${entries.length}`);
  }
  return entries.map((entry, index) => {
    const [, digits, unit = ''] = /^(\d{1,12})([a-z]{1,2})$/.exec(entry) ?? [];
    const unitMs = UNIT_MS.get(unit);
    if (digits === undefined || unitMs === undefined) {
      throw new TypeError(
        `Delay ${index + 1} of the retry schedule is "${entry}"; ` +
          'write a whole number and a unit (ms, s, m, h, d), for example 0s,5s,5m,2h',
      );
    }
    const delaySeconds = (Number(digits) * unitMs) / 1000;
    if (delaySeconds > DELAY_SECONDS_MAX) {
      throw new TypeError(`Delay ${index + 1} of the retry schedule is "${entry}"; the longest is 30d`);
    }
    return delaySeconds;
  });
}

/** The default as `WEBHOOK_RETRY_SCHEDULE` spells it: ten attempts over 75 hours and 35 minutes, without jitter. */
export const DEFAULT_RETRY_SCHEDULE_TEXT = '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** {@link DEFAULT_RETRY_SCHEDULE_TEXT} as it is read. */
export const DEFAULT_RETRY_SCHEDULE: RetrySchedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE_TEXT);

/** The delay before the first attempt of a round, in seconds; without jitter. */
export function firstDelaySeconds(schedule: RetrySchedule): number {
  return delayBeforeAttempt(schedule, 1);
}

/** The delay before the given attempt, counted from 1. @throws RangeError outside the schedule */
function delayBeforeAttempt(schedule: RetrySchedule, attemptNumber: number): number {
  const delaySeconds = schedule[attemptNumber - 1];
  if (delaySeconds === undefined)
    throw new RangeError(`The schedule has ${schedule.length} attempts, not ${attemptNumber}`);
  return delaySeconds;
}
