import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_RETRY_SCHEDULE,
  DEFAULT_RETRY_SCHEDULE_TEXT,
  firstDelaySeconds,
  parseRetrySchedule,
} from './retry-schedule.ts';

test('the default is ten attempts within 75 hours and 35 minutes, as the pages say', () => {
  const schedule = DEFAULT_RETRY_SCHEDULE;
  expect(schedule).toHaveLength(10);
  const delays = DEFAULT_RETRY_SCHEDULE_TEXT.split(',');
  const spoken = delays.map((delay) => delay.replace(/(?=[smhd]$)/, ' '));
  const prose = `${spoken.slice(0, -1).join(', ')} and ${spoken.at(-1)}`;
  const pageOf = (name: string) =>
    readFileSync(new URL(`../../../../apps/docs/${name}.md`, import.meta.url), 'utf8');
  expect(pageOf('delivery').replaceAll(/\s+/g, ' ')).toContain(`Attempts follow after ${prose}`);
  expect(pageOf('configuration')).toContain(`\`${DEFAULT_RETRY_SCHEDULE_TEXT}\``);
  expect(schedule.reduce((sum, delaySeconds) => sum + delaySeconds)).toBe(75 * 3600 + 35 * 60 + 5);
});

test('reads every unit, spaces around commas, and one delay alone', () => {
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
