/**
 * The delays of one round of attempts, in seconds: the first one precedes the first attempt, each further one follows a
 * failed attempt. Its length is the number of attempts.
 */
export type RetrySchedule = readonly number[];

/**
 * Ten attempts over 75 hours and 35 minutes, without jitter; in configuration syntax:
 * `0s,5s,5m,30m,2h,5h,10h,14h,20h,24h`.
 */
export const DEFAULT_RETRY_SCHEDULE: RetrySchedule = [
  0,
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];

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
