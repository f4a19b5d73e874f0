import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startHousekeeping } from './start-jobs.ts';

function aHousekeeping(clean: () => Promise<void> = async () => {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let cleanCount = 0;
  const lines: string[] = [];
  const { stop } = startHousekeeping({
    clean: () => {
      cleanCount += 1;
      return clean();
    },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { stop, lines, cleanCount: () => cleanCount };
}

const MINUTE_MS = 60_000;

// Broke: the first run came after an hour, so a service that is deployed every 50 minutes never removed anything.
test('the first run comes soon after the start but not with it, the others an hour apart', async () => {
  const { cleanCount } = aHousekeeping();
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2 - 1);
  expect(cleanCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(cleanCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * 60 * MINUTE_MS);
  expect(cleanCount()).toBe(3);
});

// Without it one minute without the database would leave the process without housekeeping for good.
test('a run that fails is logged, and the next one comes', async () => {
  const { cleanCount, lines } = aHousekeeping(() => Promise.reject(new Error('away')));
  await vi.advanceTimersByTimeAsync(62 * MINUTE_MS);
  expect(cleanCount()).toBe(2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('the next hour tries again');
});

// Without it every stop would end in an error about a closed pool.
test('after a stop no run comes, and one under way may fail unheard', async () => {
  const { cleanCount, lines, stop } = aHousekeeping(async () => {
    void stop(0);
    throw new Error('The pool is closed.');
  });
  await vi.advanceTimersByTimeAsync(120 * MINUTE_MS);
  expect(cleanCount()).toBe(1);
  expect(lines).toEqual([]);
});
