import { expect, test } from 'vitest';
import { todayIn, verificationTime } from './verification-time.ts';

const receivedAt = new Date('2026-11-21T14:30:09.000Z');
const at = (createdDate: string, createdTime: string, payerTimeZone: string) =>
  verificationTime({ createdDate, createdTime }, { payerTimeZone, receivedAt });

test("keeps the payer's digits and adds the offset of the payer's clock", () => {
  expect(at('2026-01-15', '09:30:00', 'America/Chicago')).toBe('2026-01-15T09:30:00-06:00');
  expect(at('2026-07-15', '09:30:00', 'America/Chicago')).toBe('2026-07-15T09:30:00-05:00');
  expect(at('2026-07-15', '09:30:00', 'UTC')).toBe('2026-07-15T09:30:00Z');
});

test('knows the hours around a change of the clock', () => {
  expect(at('2026-03-08', '01:59:00', 'America/New_York')).toBe('2026-03-08T01:59:00-05:00');
  expect(at('2026-03-08', '03:00:00', 'America/New_York')).toBe('2026-03-08T03:00:00-04:00');
  // One that changed a minute after the hour.
  expect(at('2011-03-13', '00:00:59', 'America/St_Johns')).toBe('2011-03-13T00:00:59-03:30');
  expect(at('2011-03-13', '01:01:00', 'America/St_Johns')).toBe('2011-03-13T01:01:00-02:30');
});

// At two in the morning UTC it is still yesterday there: a payer refuses a date that has not begun.
test("asks for today as the payer's calendar has it", () => {
  expect(todayIn('America/New_York', new Date('2026-11-21T02:00:00Z'))).toBe('2026-11-20');
  expect(todayIn('UTC', new Date('2026-11-21T02:00:00Z'))).toBe('2026-11-21');
  expect(todayIn('Asia/Kathmandu', new Date('2026-11-21T18:14:59Z'))).toBe('2026-11-21');
  expect(todayIn('Asia/Kathmandu', new Date('2026-11-21T18:15:00Z'))).toBe('2026-11-22');
});
