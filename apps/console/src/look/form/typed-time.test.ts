import { expect, test } from 'vitest';
import { dayBegan, fromTyped, toTyped } from './typed-time.ts';

const CHICAGO = 'America/Chicago';

test.each([
  ['2026-11-22T12:30:00.000Z', 'UTC', '2026-11-22T12:30'],
  ['2026-11-22T12:30:00.000Z', CHICAGO, '2026-11-22T06:30'],
  ['2026-07-01T03:00:00.000Z', CHICAGO, '2026-06-30T22:00'],
  ['2026-11-22T12:30:00.000Z', 'Asia/Kathmandu', '2026-11-22T18:15'],
])('%s is typed in %s as %s, and back', (instant, zone, typed) => {
  expect(toTyped(instant, zone)).toBe(typed);
  expect(fromTyped(typed, zone)).toBe(instant);
});

// A filter must find something wherever the clock jumps.
test('an hour that the clock skips, or shows twice, is one that there is', () => {
  expect(fromTyped('2026-03-08T02:30', CHICAGO)).toMatch(/^2026-03-08T0[78]:30/);
  expect(fromTyped('2026-11-01T01:30', CHICAGO)).toMatch(/^2026-11-01T0[67]:30/);
});

test('what is no time is none', () => {
  expect([fromTyped('', CHICAGO), toTyped('', CHICAGO)]).toEqual(['', '']);
});

test('a day begins at midnight in its zone', () => {
  expect(dayBegan(Date.parse('2026-11-22T03:00:00Z'), CHICAGO)).toBe('2026-11-21T06:00:00.000Z');
  expect(dayBegan(Date.parse('2026-11-22T03:00:00Z'), 'UTC')).toBe('2026-11-22T00:00:00.000Z');
});
