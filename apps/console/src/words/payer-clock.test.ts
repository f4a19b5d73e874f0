import { expect, test } from 'vitest';
import { bothClocks, hoursWords, isOpenAt, opensWords } from './payer-clock.ts';

test.each([
  ['today', '2026-11-24T14:00:00Z', 'America/Chicago', '2026-11-24T07:00:00Z', 'opens at 8:00 AM Central'],
  [
    'after a weekend with a change of the clock',
    '2026-11-02T14:00:00Z',
    'America/Chicago',
    '2026-10-31T20:00:00Z',
    'opens on Mon, Nov 2 at 8:00 AM Central',
  ],
  [
    'in a zone that has no change',
    '2026-07-01T14:30:00Z',
    'America/Phoenix',
    '2026-07-01T10:00:00Z',
    'opens at 7:30 AM Mountain',
  ],
])('%s', (_, at, zone, now, words) => {
  expect(opensWords(at, zone, Date.parse(now))).toBe(words);
});

const DAYS = [
  { from: '2026-11-24T13:00:00Z', until: '2026-11-25T01:00:00Z' },
  { from: '2026-11-25T13:00:00Z', until: '2026-11-26T01:00:00Z' },
];
const hours = (now: string) => hoursWords(DAYS, 'America/New_York', Date.parse(now));

// Without it a person calls a payer whose day is over, or puts off a call that would be answered now.
test('the time at a payer is said, with when it closes or opens', () => {
  expect(hours('2026-11-24T15:40:00Z')).toBe('There it is 10:40 AM Eastern, open until 8:00 PM');
  expect(hours('2026-11-24T12:15:00Z')).toBe('There it is 7:15 AM Eastern, closed, opens at 8:00 AM');
  expect(hours('2026-11-25T02:00:00Z')).toBe(
    'There it is 9:00 PM Eastern, closed, opens on Wed, Nov 25 at 8:00 AM',
  );
  expect(hours('2026-11-26T02:00:00Z')).toBe('There it is 9:00 PM Eastern, closed for the next two weeks');
});

test('its phone is answered from the first moment of its hours to the last', () => {
  const at = (time: string) => isOpenAt(DAYS, Date.parse(time));
  expect([
    at('2026-11-24T12:59:59Z'),
    at('2026-11-24T13:00:00Z'),
    at('2026-11-25T00:59:59Z'),
    at('2026-11-25T01:00:00Z'),
  ]).toEqual([false, true, true, false]);
});

// Without it “call again at 3” is an hour late for an office one zone to the west.
test('a time is said by the payer’s clock and by one’s own, once where they agree', () => {
  const said = (zone: string, now: string) =>
    bothClocks(Date.parse('2026-11-24T20:00:00Z'), 'America/New_York', zone, Date.parse(now));
  expect(said('America/Chicago', '2026-11-24T15:00:00Z')).toBe('3:00 PM Eastern, 2:00 PM here');
  expect(said('America/Chicago', '2026-11-23T15:00:00Z')).toBe('Tue, Nov 24, 3:00 PM Eastern, 2:00 PM here');
  expect(said('America/New_York', '2026-11-24T15:00:00Z')).toBe('3:00 PM Eastern');
});
