import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPolling } from './start-polling.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A loop whose cycles the test ends by hand. */
function aLoop(pauseMs?: number) {
  const cycles: PromiseWithResolvers<boolean>[] = [];
  const failures: unknown[] = [];
  const polling = startPolling({
    ...(pauseMs !== undefined && { pauseMs: () => pauseMs }),
    cycle: () => {
      const cycle = Promise.withResolvers<boolean>();
      cycles.push(cycle);
      return cycle.promise;
    },
    onFailure: (err) => failures.push(err),
  });
  const settled = () => new Promise(setImmediate);
  const cycleCount = async () => {
    await settled();
    return cycles.length;
  };
  return { polling, cycles, failures, settled, cycleCount };
}

test('begins with a cycle, and continues at once while there may be more', async () => {
  const { cycles, cycleCount } = aLoop();
  expect(await cycleCount()).toBe(1);
  cycles[0]?.resolve(true);
  expect(await cycleCount()).toBe(2);
  cycles[1]?.resolve(false);
  expect(await cycleCount()).toBe(2);
});

// Without it a stream of requests would be claimed two or three at a time, at 3 ms of the database each.
test('wakes within the pause cause one cycle at its end, and what is left none', async () => {
  const { polling, cycles, cycleCount, settled } = aLoop(60_000);
  await settled();
  polling.wake();
  cycles[0]?.resolve(false);
  expect(await cycleCount()).toBe(1);
  polling.wake();
  vi.advanceTimersByTime(50_000);
  expect(await cycleCount()).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(await cycleCount()).toBe(2);
  cycles[1]?.resolve(true);
  expect(await cycleCount()).toBe(3);
});

test('rests until the poll', async () => {
  const { cycles, cycleCount, settled } = aLoop();
  await settled();
  cycles[0]?.resolve(false);
  await settled();
  vi.advanceTimersByTime(999);
  expect(await cycleCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await cycleCount()).toBe(2);
});

test('a wake ends the rest', async () => {
  const { polling, cycles, cycleCount, settled } = aLoop();
  await settled();
  cycles[0]?.resolve(false);
  await settled();
  polling.wake();
  expect(await cycleCount()).toBe(2);
});

// It broke elsewhere: a wake that came during a claim was lost, and the row waited for the poll (2 ms became 503).
test('a wake during a cycle causes another', async () => {
  const { polling, cycles, cycleCount, settled } = aLoop();
  await settled();
  polling.wake();
  cycles[0]?.resolve(false);
  expect(await cycleCount()).toBe(2);
});

test('outlives a cycle that fails', async () => {
  const { cycles, failures, cycleCount, settled } = aLoop();
  await settled();
  const err = new Error('away');
  cycles[0]?.reject(err);
  await settled();
  expect(failures).toEqual([err]);
  vi.advanceTimersByTime(1_000);
  expect(await cycleCount()).toBe(2);
});

test('stops when the cycle under way has ended, or at once while it rests', async () => {
  const { polling, cycles, cycleCount, settled } = aLoop();
  await settled();
  let isStopped = false;
  const stopping = polling.stop().then(() => (isStopped = true));
  await settled();
  expect(isStopped).toBe(false);
  cycles[0]?.resolve(true);
  await stopping;
  expect(await cycleCount()).toBe(1);
  const resting = aLoop();
  await resting.settled();
  resting.cycles[0]?.resolve(false);
  await resting.settled();
  await resting.polling.stop();
  expect(await resting.cycleCount()).toBe(1);
});
