import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BatchPace } from './batch-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

// Broke: a look at a list slowed a batch to 400 rows a second for two seconds, though rows do not slow reads.
test.each([
  ['a read', { method: 'GET', path: '/requests' }],
  ['a call about a batch', { method: 'POST', path: '/batches' }],
] as const)('%s leaves batches at full speed', (_, operation) => {
  const pace = new BatchPace();
  const alone = pace.now;
  pace.noteCall(operation);
  expect(pace.now).toBe(alone);
});

test('batches are slower for two seconds after a call that writes, and then at full speed again', () => {
  const pace = new BatchPace();
  const alone = pace.now;
  pace.noteCall({ method: 'POST', path: '/requests/' });
  const shared = pace.now;
  expect(shared.rowCount).toBeLessThan(alone.rowCount);
  expect(shared.pauseMs).toBeGreaterThan(alone.pauseMs);
  vi.advanceTimersByTime(1_999);
  expect(pace.now).toBe(shared);
  vi.advanceTimersByTime(1);
  expect(pace.now).toBe(alone);
});
