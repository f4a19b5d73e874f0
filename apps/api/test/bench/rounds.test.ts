import { expect, test } from 'vitest';
import { medianOf, middleOf, ratioOf } from '../../bench/report.ts';

const aRound = (perSecond: number) => ({ perSecond, p50Ms: perSecond / 100 });

test('a median of an even count is the mean of the middle two', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3]), medianOf([])]).toEqual([2, 2.5, Number.NaN]);
});

// A ratio of two medians would compare the floor's good hour with the service's bad one.
test('the ratio is the median of the rounds’ own', () => {
  const service = [aRound(100), aRound(500), aRound(90)];
  expect(ratioOf(service, [aRound(200), aRound(1_000), aRound(100)])).toBe(0.5);
});

test('the middle of the rounds has the median of each figure', () => {
  expect(middleOf([aRound(200), aRound(1_000), aRound(100)])).toEqual(aRound(200));
});
