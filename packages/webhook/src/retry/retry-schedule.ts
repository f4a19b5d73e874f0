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
export function delayBeforeAttempt(schedule: RetrySchedule, attemptNumber: number): number {
  const delaySeconds = schedule[attemptNumber - 1];
  if (delaySeconds === undefined)
    throw new RangeError(`The schedule has ${schedule.length} attempts, not ${attemptNumber}`);
  return delaySeconds;
}
