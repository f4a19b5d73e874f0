import { expect, test } from 'vitest';
import { createBreaker } from './create-breaker.ts';

const SECOND = 1_000;

/** A breaker that has seen attempts, one a second from 0: `f` failed, `s` succeeded. */
function aBreaker(attempts: string) {
  const breaker = createBreaker();
  for (let second = 0; second < attempts.length; second += 1)
    breaker.record(attempts[second] === 'f', second * SECOND);
  return breaker;
}

test.each([
  ['f'.repeat(10), 'none'],
  ['f'.repeat(9), 'all'],
  ['sssfffffff', 'none'],
  ['ssssffffff', 'all'],
  ['fffffffsss', 'all'],
])('after %s it lets %s through', (attempts, passage) => {
  expect(aBreaker(attempts).passage(attempts.length * SECOND)).toBe(passage);
});

test('forgets what is older than five minutes', () => {
  const breaker = aBreaker('f'.repeat(9));
  breaker.record(true, 9 * SECOND + 300_000);
  expect(breaker.passage(9 * SECOND + 300_000)).toBe('all');
});

test('stays open for thirty seconds, then lets one probe through', () => {
  const breaker = aBreaker('f'.repeat(10)); // the last at 9 s
  expect(breaker.passage(9 * SECOND + 29_999)).toBe('none');
  expect(breaker.passage(9 * SECOND + 30_000)).toBe('probe');
});

test('closes on a probe that succeeds, and begins again', () => {
  const breaker = aBreaker('f'.repeat(10));
  breaker.record(false, 40 * SECOND);
  expect(breaker.passage(40 * SECOND)).toBe('all');
  for (let count = 0; count < 9; count += 1) breaker.record(true, 41 * SECOND);
  expect(breaker.passage(41 * SECOND)).toBe('all');
  breaker.record(true, 41 * SECOND);
  expect(breaker.passage(41 * SECOND)).toBe('none');
});

test('opens again on a probe that fails', () => {
  const breaker = aBreaker('f'.repeat(10));
  breaker.record(true, 40 * SECOND);
  expect(breaker.passage(69 * SECOND)).toBe('none');
  expect(breaker.passage(70 * SECOND)).toBe('probe');
});

test('takes no news from attempts that end while it is open: they began before', () => {
  const breaker = aBreaker('f'.repeat(10));
  breaker.record(false, 20 * SECOND);
  expect(breaker.passage(21 * SECOND)).toBe('none');
});

test('lets a probe through at once for someone who asks, and no more than that', () => {
  const breaker = aBreaker('f'.repeat(10));
  breaker.probe();
  expect(breaker.passage(10 * SECOND)).toBe('probe');
  const closed = aBreaker('s');
  closed.probe();
  expect(closed.passage(2 * SECOND)).toBe('all');
});

test('is fresh when it remembers nothing', () => {
  expect(createBreaker().isFresh(0)).toBe(true);
  const breaker = aBreaker('s');
  expect(breaker.isFresh(299 * SECOND)).toBe(false);
  expect(breaker.isFresh(300 * SECOND)).toBe(true);
  expect(aBreaker('f'.repeat(10)).isFresh(3_600 * SECOND)).toBe(false);
});
