import { expect, test } from 'vitest';
import { readInstant, readMoment } from './read-moment.ts';

const NOW = Date.parse('2026-11-20T18:30:00Z'); // 12:30 in Chicago, on a Friday
const read = (text: string) => readMoment(text, NOW, 'America/Chicago');

test.each([
  ['3p', '2026-11-20T21:00:00.000Z'],
  ['3 pm', '2026-11-20T21:00:00.000Z'],
  ['3:30 P.M.', '2026-11-20T21:30:00.000Z'],
  ['15:00', '2026-11-20T21:00:00.000Z'],
  ['9a', '2026-11-21T15:00:00.000Z'],
  ['12p', '2026-11-21T18:00:00.000Z'],
  ['45 min', '2026-11-20T19:15:00.000Z'],
  ['2h', '2026-11-20T20:30:00.000Z'],
  ['tomorrow 9am', '2026-11-21T15:00:00.000Z'],
  ['11/30 10:15am', '2026-11-30T16:15:00.000Z'],
])('%s is read as the next such time', (text, at) => {
  expect(read(text)).toEqual({ kind: 'moment', at });
});

test.each([
  ['', 'none'],
  ['3', 'unreadable'],
  ['15', 'unreadable'],
  ['25:00', 'unreadable'],
  ['13pm', 'unreadable'],
  ['3:75pm', 'unreadable'],
  ['5/6 9am', 'unreadable'], // two days
  ['soon', 'unreadable'],
  ['today 9am', 'past'],
  ['11/19 9am', 'past'],
  ['0 min', 'past'],
])('%j is %s, never guessed', (text, kind) => {
  expect(read(text).kind).toBe(kind);
});

test('on the day that the clock is set back, a time is that of the zone', () => {
  const before = Date.parse('2026-10-31T20:00:00Z');
  expect(readMoment('tomorrow 9am', before, 'America/Chicago')).toEqual({
    kind: 'moment',
    at: '2026-11-01T15:00:00.000Z',
  });
});

// Without it a list could be narrowed to a time only by a form of its own, which no page writes.
test.each([
  ['Nov 29, 2026, 3:02 PM', '2026-11-29T21:02:00.000Z'],
  ['Nov 2', '2026-11-02T06:00:00.000Z'],
  ['11/29 3p', '2026-11-29T21:00:00.000Z'],
  ['2026-11-29T10:30', '2026-11-29T16:30:00.000Z'],
  ['yesterday', '2026-11-28T06:00:00.000Z'],
  ['yesterday 9a', '2026-11-28T15:00:00.000Z'],
  ['9:30', '2026-11-29T15:30:00.000Z'],
  ['5/6/26', null],
  ['soon', null],
])('a time that was: %s', (typed, instant) => {
  expect(readInstant(typed, Date.parse('2026-11-29T20:00:00Z'), 'America/Chicago')).toBe(instant);
});
