import { expect, test } from 'vitest';
import { opensWords } from './opens-words.ts';

test.each([
  ['today', '2026-11-24T14:00:00Z', 'America/Chicago', '2026-11-24T07:00:00Z', 'opens at 8:00 Central'],
  [
    'after a weekend with a change of the clock',
    '2026-11-02T14:00:00Z',
    'America/Chicago',
    '2026-10-31T20:00:00Z',
    'opens on Mon, Nov 2 at 8:00 Central',
  ],
  [
    'in a zone that has no change',
    '2026-07-01T14:30:00Z',
    'America/Phoenix',
    '2026-07-01T10:00:00Z',
    'opens at 7:30 Mountain',
  ],
])('%s', (_, at, zone, now, words) => {
  expect(opensWords(at, zone, new Date(now))).toBe(words);
});
