import { expect, test } from 'vitest';
import { dayBegan, fromTyped, readDate, toTyped } from './read-date.ts';

const today = new Date(2026, 10, 22);

// Break when what a verifier types off a card becomes another day of coverage.
test.each([
  ['5/17/84', '1984-05-17'],
  ['17/5/84', '1984-05-17'],
  ['1/1/26', '2026-01-01'],
  ['12-31-2026', '2026-12-31'],
  ['20260101', '2026-01-01'],
  ['01012026', '2026-01-01'],
  ['2026-1-5', '2026-01-05'],
  ['Jan 5, 2026', '2026-01-05'],
  ['5 January 26', '2026-01-05'],
  ['2/29/24', '2024-02-29'],
  ['12/31/46', '2046-12-31'],
  ['12/31/47', '1947-12-31'],
  [' today ', '2026-11-22'],
  ['２０２６０１０１', '2026-01-01'],
  ['１／１５／２０２６', '2026-01-15'],
])('%s is %s', (typed, day) => {
  expect(readDate(typed, today)).toEqual({ kind: 'day', day });
});

test.each([
  ['5/6/84', '1984-05-06', '1984-06-05'],
  ['01022026', '2026-01-02', '2026-02-01'],
])('%s can be two days, and is not guessed', (typed, ...days) => {
  expect(readDate(typed, today)).toEqual({ kind: 'ambiguous', days });
});

test.each(['2/30/26', '2/29/26', '13/13/26', 'soon', '2026', '1/1', '20261301', 'Foo 1 2026', '0/1/26'])(
  '%s is no day',
  (typed) => expect(readDate(typed, today)).toEqual({ kind: 'unreadable' }),
);

test('nothing typed is nothing said', () => {
  expect(readDate('  ', today)).toEqual({ kind: 'none' });
});

// Broke: a birth date of two digits was in a year to come, or asked about though only one reading has been.
test.each([
  ['5/17/30', { kind: 'day', day: '1930-05-17' }],
  ['11/23/26', { kind: 'day', day: '1926-11-23' }],
  ['11/22/26', { kind: 'day', day: '2026-11-22' }],
  ['2/12/2026', { kind: 'day', day: '2026-02-12' }],
  ['5/6/84', { kind: 'ambiguous', days: ['1984-05-06', '1984-06-05'] }],
  ['2027-01-01', { kind: 'unreadable' }],
])('%s as the day of a birth', (typed, read) => {
  expect(readDate(typed, today, true)).toEqual(read);
});

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

test('what is not a time has no value', () => {
  expect([fromTyped('', CHICAGO), toTyped('', CHICAGO)]).toEqual(['', '']);
});

test('a day begins at midnight in its zone', () => {
  expect(dayBegan(Date.parse('2026-11-22T03:00:00Z'), CHICAGO)).toBe('2026-11-21T06:00:00.000Z');
  expect(dayBegan(Date.parse('2026-11-22T03:00:00Z'), 'UTC')).toBe('2026-11-22T00:00:00.000Z');
});
