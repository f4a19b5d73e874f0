import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import type { HiredWorker } from './hire-worker.ts';
import { allServing, keepSeat } from './keep-seat.ts';
import type { Serving } from './worker-messages.ts';

const SERVING: Serving = { url: 'http://127.0.0.1:1', metricsUrl: undefined, notifier: 'one' };

/** A worker that does what it is told by the test. */
function aWorker(pid: number) {
  const { promise: whenServing, resolve: serve, reject } = Promise.withResolvers<Serving>();
  const { promise: whenEnded, resolve: leave } = Promise.withResolvers<string>();
  whenServing.catch(() => undefined);
  const told: string[] = [];
  const end = (ended: string) => {
    reject(new Error(`ended with ${ended}`));
    leave(ended);
  };
  const worker: HiredWorker = {
    number: 1,
    pid,
    whenServing,
    whenEnded,
    isServing: () => true,
    tell: () => undefined,
    end: (how) => void told.push(how),
    kill: () => end('SIGKILL'),
  };
  return { worker, serve: () => serve(SERVING), end, told };
}

function aSeat() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const hired: ReturnType<typeof aWorker>[] = [];
  const failures: number[] = [];
  const died: string[] = [];
  const seat = keepSeat({
    hire: () => {
      const one = aWorker(hired.length + 1);
      hired.push(one);
      return one.worker;
    },
    onDied: ({ notifier }) => void died.push(notifier),
    onFailed: (_, count) => void failures.push(count),
    log: createLog('silent', { write: () => undefined }),
  });
  return { seat, hired, failures, died };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Without it a worker that dies once in an hour would be missed for a second each time.
test('a worker that served for long is replaced at once', async () => {
  const { hired, died } = aSeat();
  hired[0]?.serve();
  await pass(10_000);
  hired[0]?.end('SIGSEGV');
  await pass(0);
  expect(hired).toHaveLength(2);
  expect(died).toEqual(['one']);
});

// Without it a worker that cannot start would take a core for trying.
test('one that fails again and again waits twice as long each time, 30 s at most', async () => {
  const { hired, failures } = aSeat();
  const pauses = [1, 2, 4, 8, 16, 30, 30];
  for (const [index, seconds] of pauses.entries()) {
    hired[index]?.end('exit 1');
    await pass(0);
    await pass(seconds * 1_000 - 1);
    expect(hired).toHaveLength(index + 1);
    await pass(1);
    expect(hired).toHaveLength(index + 2);
  }
  expect(failures).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

// Without it a broken configuration would end workers that serve.
test('the present one goes when the next serves, and stays when that fails', async () => {
  const { seat, hired } = aSeat();
  hired[0]?.serve();
  const failing = seat.replace();
  hired[1]?.end('exit 1');
  await expect(failing).rejects.toThrow('ended with exit 1');
  expect([seat.worker().pid, hired[0]?.told]).toEqual([1, []]);

  const replacing = seat.replace();
  await pass(0);
  expect(seat.worker().pid).toBe(1);
  hired[2]?.serve();
  await pass(0);
  expect([seat.worker().pid, hired[0]?.told]).toEqual([3, ['retire']]);
  hired[0]?.end('exit 0');
  await replacing;
  await pass(60_000);
  expect([hired.length, seat.endCount()]).toEqual([3, 0]);
});

test('a stop ends the one that has the seat and the one that was to take over', async () => {
  const { seat, hired } = aSeat();
  hired[0]?.serve();
  seat.replace().catch(() => undefined);
  await pass(0);
  const stopping = seat.stop();
  expect(hired.map(({ told }) => told)).toEqual([['SIGTERM'], ['SIGTERM']]);
  for (const { end } of hired) end('exit 0');
  await stopping;
  await pass(60_000);
  expect(hired).toHaveLength(2);
});

// Without it one that hangs would hold up the stop for ever.
test('one that does not end is killed', async () => {
  const { seat, hired } = aSeat();
  hired[0]?.serve();
  const stopping = seat.stop();
  await pass(30_000);
  await stopping;
  expect(await hired[0]?.worker.whenEnded).toBe('SIGKILL');
});

test('a start fails with the words of the worker that failed', async () => {
  const { seat, hired } = aSeat();
  const starting = allServing([seat]);
  hired[0]?.end('exit 1');
  await expect(starting).rejects.toMatchObject({ message: 'ended with exit 1', worker: 1 });
});
