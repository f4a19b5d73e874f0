import { expect, test } from 'vitest';
import { date } from './date.ts';

test('keeps a date as it came', () => {
  expect(date().parse('2024-02-29')).toBe('2024-02-29');
});

// Breaks when a plan's first day shifts to the day before or after.
test.each([
  '2026-03-04T00:00:00Z',
  '2026-03-04 00:00',
  '2026-03-04T00:00:00.000+14:00',
  '2026-03-04T00:00:00-12:00',
])('takes the date of %s in its own offset', (text) => {
  expect(date().parse(text)).toBe('2026-03-04');
});

test.each(['2026-03-04T00:00:01Z', '2026-03-04T23:59:59Z', '2026-03-04T00:00:00.000001Z'])(
  'refuses %s',
  (text) => {
    expect(date().safeParse(text).error?.issues).toMatchObject([
      { params: { type: 'date_from_datetime_inexact' } },
    ]);
  },
);
