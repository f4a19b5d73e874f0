import { expect, it } from 'vitest';
import { dateTime } from './date-time.ts';

it.each([
  ['2026-03-04T10:20:30', '2026-03-04T10:20:30Z'],
  ['2026-03-04 10:20', '2026-03-04 10:20Z'],
  ['2026-03-04T10:20:30.123456789', '2026-03-04T10:20:30.123456789Z'],
])('reads %s, which has no offset, as UTC', (text, kept) => {
  expect(dateTime().parse(text)).toBe(kept);
});

it.each([
  '2026-03-04T10:20:30Z',
  '2026-03-04t10:20:30.1z',
  '2026-03-04 10:20:30-05:00',
  '2026-03-04T10:20+0530',
])('keeps %s as it came', (text) => {
  expect(dateTime().parse(text)).toBe(text);
});

it('gives back what it accepts when that is parsed again', () => {
  const once = dateTime().parse('2026-03-04T10:20:30');
  expect(dateTime().parse(once)).toBe(once);
});
