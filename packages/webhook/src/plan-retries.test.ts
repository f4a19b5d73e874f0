import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptOutcome, SendResult } from './outcome.ts';
import {
  DEFAULT_RETRY_SCHEDULE,
  DEFAULT_RETRY_SCHEDULE_TEXT,
  firstDelaySeconds,
  parseRetrySchedule,
  planAfterAttempt,
} from './plan-retries.ts';

type Result = Pick<SendResult, 'outcome' | 'statusCode' | 'retryAfterSeconds'>;

const aResult = (result: Partial<Result> = {}): Result => ({
  outcome: 'http_error',
  statusCode: 500,
  retryAfterSeconds: null,
  ...result,
});
const middle = () => 0.5; // no jitter

const plan = (
  attemptNumber: number,
  result: Partial<Result> = {},
  schedule = DEFAULT_RETRY_SCHEDULE,
  random = middle,
) => planAfterAttempt({ schedule, attemptNumber, result: aResult(result), random });

const anyFailure = fc.record<Result>({
  outcome: fc.constantFrom<AttemptOutcome>(
    'http_error',
    'redirected',
    'timeout',
    'connection_failed',
    'tls_failed',
    'dns_failed',
    'blocked_address',
  ),
  statusCode: fc.option(fc.constantFrom(100, 302, 400, 404, 429, 500, 502, 503, 504)),
  retryAfterSeconds: fc.option(fc.nat(86_400)),
});
const anySchedule = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 50 });
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const [, SECOND_DELAY = Number.NaN, THIRD_DELAY = Number.NaN] = DEFAULT_RETRY_SCHEDULE;
const LAST_ATTEMPT = DEFAULT_RETRY_SCHEDULE.length;

test('a 2xx delivers, on any attempt', () => {
  for (const attemptNumber of [1, LAST_ATTEMPT]) {
    expect(plan(attemptNumber, { outcome: 'succeeded', statusCode: 204 })).toEqual({ kind: 'delivered' });
  }
});

test('410 ends the delivery at once, whatever Retry-After says', () => {
  expect(plan(1, { outcome: 'gone', statusCode: 410, retryAfterSeconds: 60 })).toEqual({
    kind: 'exhausted',
    reason: 'webhook_gone',
  });
});

test('the default schedule, attempt by attempt, then exhausted', () => {
  const delays = DEFAULT_RETRY_SCHEDULE.map((_, index) => plan(index + 1));
  expect(delays).toEqual([
    ...DEFAULT_RETRY_SCHEDULE.slice(1).map((delaySeconds) => ({ kind: 'retry', delaySeconds })),
    { kind: 'exhausted', reason: 'webhook_exhausted' },
  ]);
});

test('a blocked address is retried like anything else; only the last attempt decides the reason', () => {
  expect(plan(1, { outcome: 'blocked_address', statusCode: null })).toEqual({
    kind: 'retry',
    delaySeconds: SECOND_DELAY,
  });
  expect(plan(LAST_ATTEMPT, { outcome: 'blocked_address', statusCode: null })).toEqual({
    kind: 'exhausted',
    reason: 'webhook_blocked_address',
  });
  expect(plan(LAST_ATTEMPT, { outcome: 'timeout', statusCode: null })).toEqual({
    kind: 'exhausted',
    reason: 'webhook_exhausted',
  });
});

test.each<[Partial<Result>, number]>([
  [{ statusCode: 429 }, 60],
  [{ statusCode: 502 }, 60],
  [{ statusCode: 504 }, 60],
  [{ outcome: 'timeout', statusCode: null }, 60],
  [{ statusCode: 503 }, SECOND_DELAY],
  [{ statusCode: 500 }, SECOND_DELAY],
  [{ outcome: 'connection_failed', statusCode: null }, SECOND_DELAY],
])('after %j the default schedule waits %i s; any other schedule is kept', (result, delaySeconds) => {
  expect(plan(1, result)).toEqual({ kind: 'retry', delaySeconds });
  expect(plan(1, result, parseRetrySchedule('0s,5s'))).toEqual({ kind: 'retry', delaySeconds: 5 });
});

test('a configured schedule that spells out the default counts as the default', () => {
  const spelledOut = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE_TEXT);
  expect(plan(1, { statusCode: 429 }, spelledOut)).toEqual({ kind: 'retry', delaySeconds: 60 });
});

test.each([
  [1, 'shorter than the delay: no effect', THIRD_DELAY],
  [4000, 'longer: it decides', 4000],
  [999_999, 'beyond 24 hours: capped', 86_400],
])('Retry-After %i, %s', (retryAfterSeconds, _what, delaySeconds) => {
  expect(plan(2, { statusCode: 503, retryAfterSeconds })).toEqual({ kind: 'retry', delaySeconds });
});

test('jitter moves a delay of 5 s and more by at most 20 %, and a shorter one not at all', () => {
  fc.assert(
    fc.property(anySchedule, anyRandom, fc.nat(48), (schedule, random, index) => {
      const delay = schedule[index + 1];
      fc.pre(delay !== undefined);
      const next = plan(index + 1, {}, schedule, () => random);
      const share = delay < 5 ? 0 : 0.2;
      expect(next).toEqual({ kind: 'retry', delaySeconds: expect.any(Number) });
      const { delaySeconds } = { delaySeconds: Number.NaN, ...next };
      expect(delaySeconds).toBeGreaterThanOrEqual(delay * (1 - share) - 1e-6);
      expect(delaySeconds).toBeLessThanOrEqual(delay * (1 + share) + 1e-6);
    }),
  );
});

test('a failing receiver is tried exactly as often as the schedule is long, and Retry-After never shortens a wait', () => {
  fc.assert(
    fc.property(
      anySchedule,
      fc.array(anyFailure, { minLength: 50, maxLength: 50 }),
      anyRandom,
      (schedule, failures, random) => {
        let attempts = 0;
        for (const failure of failures) {
          attempts += 1;
          const next = plan(attempts, failure, schedule, () => random);
          if (next.kind === 'exhausted') break;
          const without = plan(attempts, { ...failure, retryAfterSeconds: null }, schedule, () => random);
          if (next.kind !== 'retry' || without.kind !== 'retry') throw new Error('a failure was not retried');
          expect(next.delaySeconds).toBe(Math.max(without.delaySeconds, failure.retryAfterSeconds ?? 0));
        }
        expect(attempts).toBe(schedule.length);
      },
    ),
  );
});

test('the default is ten attempts within 75 hours and 35 minutes, as the pages say', () => {
  const schedule = DEFAULT_RETRY_SCHEDULE;
  expect(schedule).toHaveLength(10);
  const delays = DEFAULT_RETRY_SCHEDULE_TEXT.split(',');
  const spoken = delays.map((delay) => delay.replace(/(?=[smhd]$)/, ' '));
  const prose = `${spoken.slice(0, -1).join(', ')} and ${spoken.at(-1)}`;
  const pageOf = (name: string) =>
    readFileSync(new URL(`../../../apps/docs/${name}.md`, import.meta.url), 'utf8');
  expect(pageOf('delivery').replaceAll(/\s+/g, ' ')).toContain(`Attempts follow after ${prose}`);
  expect(pageOf('configuration')).toContain(`\`${DEFAULT_RETRY_SCHEDULE_TEXT}\``);
  expect(schedule.reduce((sum, delaySeconds) => sum + delaySeconds)).toBe(75 * 3600 + 35 * 60 + 5);
});

test('reads every unit, spaces around commas, and a single delay', () => {
  expect(parseRetrySchedule(' 50ms, 1s ,2m,3h,4d')).toEqual([0.05, 1, 120, 10_800, 345_600]);
  expect(firstDelaySeconds(parseRetrySchedule('7s'))).toBe(7);
});

test('reads back whatever whole seconds are written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2_592_000), { minLength: 1, maxLength: 50 }), (delays) => {
      expect(parseRetrySchedule(delays.map((delaySeconds) => `${delaySeconds}s`).join(','))).toEqual(delays);
    }),
  );
});

test.each([
  ['', /Delay 1 of the retry schedule is ""; write a whole number and a unit/],
  ['5', /Delay 1 .* is "5"/],
  ['0s,,5s', /Delay 2 .* is ""/],
  ['0s,5s,', /Delay 3 .* is ""/],
  ['0s,-5s', /Delay 2 .* is "-5s"/],
  ['1.5s', /Delay 1/],
  ['5S', /Delay 1/],
  ['5w', /Delay 1 .* is "5w"; .* for example 0s,5s,5m,2h/],
  ['5 s', /Delay 1/],
  ['0s;5s', /Delay 1/],
  ['1e3s', /Delay 1/],
  ['31d', /Delay 1 .* the longest is 30d/],
  [Array.from({ length: 51 }, () => '1s').join(','), /1 to 50 delays, this one has 51/],
])('refuses "%s" with the entry and a right example', (text, message) => {
  expect(() => parseRetrySchedule(text)).toThrow(message);
});
