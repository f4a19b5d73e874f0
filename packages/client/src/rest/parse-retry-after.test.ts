import { expect, test } from 'vitest';
import { parseRetryAfter } from './parse-retry-after.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['0', 0],
  ['120', 120],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  [null, undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['99999999999', undefined],
])('Retry-After %j means %j seconds', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
