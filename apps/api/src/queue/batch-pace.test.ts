import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BatchPace } from './batch-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('batches are slower for two seconds after a call, and then at full speed again', () => {
  const pace = new BatchPace();
  const alone = pace.now;
  pace.noteCall();
  const shared = pace.now;
  expect(shared.rowCount).toBeLessThan(alone.rowCount);
  expect(shared.pauseMs).toBeGreaterThan(alone.pauseMs);
  vi.advanceTimersByTime(1_999);
  expect(pace.now).toBe(shared);
  vi.advanceTimersByTime(1);
  expect(pace.now).toBe(alone);
});
