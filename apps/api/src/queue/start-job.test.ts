import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startJob } from './start-job.ts';

/** Job that answer as told, then that an hour may pass; the first comes after 10 to 20 ms. */
function someRounds(answers: readonly (number | null | Error | Promise<number>)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  let count = 0;
  const { stop } = startJob({
    run: async () => {
      const answer = answers[count++];
      if (answer instanceof Error) throw answer;
      return answer === undefined ? 3_600_000 : answer;
    },
    firstMs: { min: 10, max: 20 },
    retryMs: { min: 1_000, max: 4_000 },
    failure: 'it failed; it is tried again',
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { stop, lines, count: () => count };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Without it every process that a deployment starts would begin in the same instant, before it can be called.
test('the first run comes after the start, at a time of its own', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => void vi.restoreAllMocks());
  const { count } = someRounds([]);
  await pass(14);
  expect(count()).toBe(0);
  await pass(1);
  expect(count()).toBe(1);
});

test('each run says when the next comes, or that it was the last', async () => {
  const { count } = someRounds([0, 500, null]);
  await pass(20);
  expect(count()).toBe(2);
  await pass(480);
  expect(count()).toBe(2);
  await pass(20);
  expect(count()).toBe(3);
  await pass(7_200_000);
  expect(count()).toBe(3);
});

// Without it a database in trouble would be asked for the same again and again, or a bad minute would end the runs.
test('a failed run is logged and tried again, twice as long after with each failure, until one succeeds', async () => {
  const cut = new Error('cut');
  const { count, lines } = someRounds([cut, cut, cut, cut, 0, cut]);
  await pass(20);
  expect(count()).toBe(1);
  for (const [index, ms] of [1_000, 2_000, 4_000].entries()) {
    await pass(ms - 20);
    expect(count()).toBe(index + 1);
    await pass(20);
    expect(count()).toBe(index + 2);
  }
  await pass(4_000);
  expect(count()).toBe(6);
  await pass(1_000);
  expect(count()).toBe(7);
  expect(lines).toHaveLength(5);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'it failed; it is tried again',
    err: { class: 'Error' },
  });
});

// Without it the database would be closed under a run, which would report a fault where there was none.
test('a stop waits for the run under way, and none follows', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { stop, count } = someRounds([promise]);
  await pass(20);
  let isOver = false;
  const stopping = stop(60_000).then(() => (isOver = true));
  await pass(30_000);
  expect(isOver).toBe(false);
  resolve(0);
  await stopping;
  await pass(60_000);
  expect(count()).toBe(1);
});

// Without it a run of minutes would keep a process from ending.
test('a stop waits no longer than asked, and what it breaks off fails unheard', async () => {
  const { promise, reject } = Promise.withResolvers<number>();
  const { stop, count, lines } = someRounds([promise]);
  await pass(20);
  const stopping = stop(5_000);
  await pass(5_000);
  await stopping;
  reject(new Error('The pool is closed.'));
  await pass(60_000);
  expect([count(), lines]).toEqual([1, []]);
});

test('a stop before the first run is at once', async () => {
  const { stop, count } = someRounds([]);
  await stop(5_000);
  await pass(60_000);
  expect(count()).toBe(0);
});
