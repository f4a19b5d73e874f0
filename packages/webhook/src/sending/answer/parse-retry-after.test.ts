import { expect, test } from 'vitest';
import { parseRetryAfter } from './parse-retry-after.ts';

const now = new Date('2026-11-20T12:00:00.500Z');

test.each<[string | string[] | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['120', 120],
  [' 120 ', 120],
  ['86401', 86_400],
  ['315360000', 86_400], // ten years
  ['9'.repeat(400), 86_400],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['5 apples', null],
  ['soon', null],
  ['2026-11-20T12:01:00Z', null],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Friday, 20-Nov-26 12:01:00 GMT', 60],
  ['Fri Nov 20 12:01:00 2026', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0], // past
  ['Fri, 20 Nov 2036 12:00:00 GMT', 86_400],
  ['Fri, 32 Nov 2026 12:01:00 GMT', null],
  ['Fri, 20 Nov 2026 12:01:00 PST', null],
  [['30', '60'], 30],
])('Retry-After %j is %s', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
