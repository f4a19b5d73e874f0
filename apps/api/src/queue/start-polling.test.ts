import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPolling } from './start-polling.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A loop whose rounds the test ends by hand. */
function aLoop(pauseMs?: number) {
  const rounds: PromiseWithResolvers<boolean>[] = [];
  const failures: unknown[] = [];
  const polling = startPolling({
    ...(pauseMs !== undefined && { pauseMs }),
    round: () => {
      const round = Promise.withResolvers<boolean>();
      rounds.push(round);
      return round.promise;
    },
    onFailure: (err) => failures.push(err),
  });
  const settled = () => new Promise(setImmediate);
  const roundCount = async () => {
    await settled();
    return rounds.length;
  };
  return { polling, rounds, failures, settled, roundCount };
}

test('begins with a round, and goes on at once while there may be more', async () => {
  const { rounds, roundCount } = aLoop();
  expect(await roundCount()).toBe(1);
  rounds[0]?.resolve(true);
  expect(await roundCount()).toBe(2);
  rounds[1]?.resolve(false);
  expect(await roundCount()).toBe(2);
});

// Without it a stream of requests would be claimed two or three at a time, at 3 ms of the database each.
test('wakes within the pause cause one round at its end, and what is left none', async () => {
  const { polling, rounds, roundCount, settled } = aLoop(60_000);
  await settled();
  polling.wake();
  rounds[0]?.resolve(false);
  expect(await roundCount()).toBe(1);
  polling.wake();
  vi.advanceTimersByTime(50_000);
  expect(await roundCount()).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(await roundCount()).toBe(2);
  rounds[1]?.resolve(true);
  expect(await roundCount()).toBe(3);
});

test('rests until the poll', async () => {
  const { rounds, roundCount, settled } = aLoop();
  await settled();
  rounds[0]?.resolve(false);
  await settled();
  vi.advanceTimersByTime(999);
  expect(await roundCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await roundCount()).toBe(2);
});

test('a wake ends the rest', async () => {
  const { polling, rounds, roundCount, settled } = aLoop();
  await settled();
  rounds[0]?.resolve(false);
  await settled();
  polling.wake();
  expect(await roundCount()).toBe(2);
});

// It broke elsewhere: a wake that came during a claim was lost, and the row waited for the poll (2 ms became 503).
test('a wake during a round causes another', async () => {
  const { polling, rounds, roundCount, settled } = aLoop();
  await settled();
  polling.wake();
  rounds[0]?.resolve(false);
  expect(await roundCount()).toBe(2);
});

test('outlives a round that fails', async () => {
  const { rounds, failures, roundCount, settled } = aLoop();
  await settled();
  const err = new Error('away');
  rounds[0]?.reject(err);
  await settled();
  expect(failures).toEqual([err]);
  vi.advanceTimersByTime(1_000);
  expect(await roundCount()).toBe(2);
});

test('stops when the round under way has ended, or at once while it rests', async () => {
  const { polling, rounds, roundCount, settled } = aLoop();
  await settled();
  let isStopped = false;
  const stopping = polling.stop().then(() => (isStopped = true));
  await settled();
  expect(isStopped).toBe(false);
  rounds[0]?.resolve(true);
  await stopping;
  expect(await roundCount()).toBe(1);
  const resting = aLoop();
  await resting.settled();
  resting.rounds[0]?.resolve(false);
  await resting.settled();
  await resting.polling.stop();
  expect(await resting.roundCount()).toBe(1);
});
