import { parseRetrySchedule } from './parse-retry-schedule.ts';

/**
 * The delays of one round of attempts, in seconds: the first one precedes the first attempt, each further one follows a
 * failed attempt. Its length is the number of attempts.
 */
export type RetrySchedule = readonly number[];

/** The default as `WEBHOOK_RETRY_SCHEDULE` spells it: ten attempts over 75 hours and 35 minutes, without jitter. */
export const DEFAULT_RETRY_SCHEDULE_TEXT = '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** {@link DEFAULT_RETRY_SCHEDULE_TEXT} as it is read. */
export const DEFAULT_RETRY_SCHEDULE: RetrySchedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE_TEXT);

/** The delay before the first attempt of a round, in seconds; without jitter. */
export function firstDelaySeconds(schedule: RetrySchedule): number {
  return delayBeforeAttempt(schedule, 1);
}

/** The delay before the given attempt, counted from 1. @throws RangeError outside the schedule */
export function delayBeforeAttempt(schedule: RetrySchedule, attemptNumber: number): number {
  const delaySeconds = schedule[attemptNumber - 1];
  if (delaySeconds === undefined)
    throw new RangeError(`The schedule has ${schedule.length} attempts, not ${attemptNumber}`);
  return delaySeconds;
}
