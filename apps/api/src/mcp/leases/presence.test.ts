import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Presence } from './presence.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const after = (minutes: number) => {
  vi.setSystemTime(minutes * MINUTE);
  return Date.now();
};

test('one that only calls is there for ten minutes after each call', () => {
  const presence = new Presence();
  expect(presence.isThere(after(9))).toBe(true);
  expect(presence.isThere(after(10))).toBe(false);
  presence.open();
  presence.close();
  expect(presence.isThere(after(19))).toBe(true);
});

test('one that is connected is there for an hour after each tool it called', () => {
  const presence = new Presence();
  presence.open();
  expect(presence.isThere(after(59))).toBe(true);
  presence.call();
  expect(presence.isThere(after(118))).toBe(true);
  expect(presence.isThere(after(119))).toBe(false);
});

// Broke: a client that was killed kept its requests for ten minutes.
test('one whose stream broke off is there for 15 s, unless it comes back or calls', () => {
  const presence = new Presence();
  presence.open();
  presence.closeStream();
  expect(presence.isThere(after(0.2))).toBe(true);
  expect(presence.isThere(after(0.25))).toBe(false);
  presence.open();
  expect(presence.isThere(after(50))).toBe(true);
  presence.closeStream();
  presence.open();
  presence.close();
  expect(presence.isThere(after(59))).toBe(true);
});

test('one that has said that it goes is gone, whatever is still open', () => {
  const presence = new Presence();
  presence.open();
  presence.end();
  expect(presence.isThere(Date.now())).toBe(false);
});
