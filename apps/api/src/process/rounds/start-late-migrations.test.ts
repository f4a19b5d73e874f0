import type { LateMigration } from '@insurance-verification/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { startLateMigrations } from './start-late-migrations.ts';

/** Late migrations whose runs answer as told. */
function lateMigrations(names: readonly string[], answers: readonly (LateMigration | Error)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  const lines: string[] = [];
  const counts: number[] = [];
  const rounds = startLateMigrations({
    names,
    run: async (onBegin, signal) => {
      const answer = answers[signals.push(signal) - 1] ?? { kind: 'none' };
      if (answer instanceof Error) throw answer;
      if (answer.kind === 'ended') onBegin(answer.name);
      return answer;
    },
    pending: { set: (count: unknown) => void counts.push(Number(count)) },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { signals, lines, counts, stop: async () => rounds?.stop(0) };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Without it nobody would know that an upgrade has not ended, or when it has.
test('they run one after the other behind the start, and the log and the gauge tell of each', async () => {
  const { signals, lines, counts } = lateMigrations(
    ['one', 'other'],
    [
      { kind: 'ended', name: 'one', leftCount: 1 },
      { kind: 'ended', name: 'other', leftCount: 0 },
    ],
  );
  expect([signals.length, counts]).toEqual([0, [2]]);
  await pass(1_001);
  expect([signals.length, counts]).toEqual([2, [2, 1, 0]]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { migration: 'one', msg: 'a migration runs behind the start' },
    { migration: 'one', left: 1, msg: 'a migration behind the start has ended' },
    { migration: 'other', msg: 'a migration runs behind the start' },
    { migration: 'other', left: 0, msg: 'a migration behind the start has ended' },
  ]);
  await pass(3_600_000);
  expect(signals).toHaveLength(2);
});

// Without it a killed process would leave the rest to the next restart of a service.
test('a process looks after another one’s until none is left', async () => {
  const { signals, counts } = lateMigrations(['one'], [{ kind: 'busy' }, { kind: 'busy' }]);
  await pass(1_000);
  await pass(20_000);
  expect([signals.length, counts]).toEqual([3, [1, 0]]);
});

test('a failed one is tried again, ever more rarely', async () => {
  const { signals, lines } = lateMigrations(['one'], [new Error('no space'), new Error('no space')]);
  await pass(1_000);
  expect(signals).toHaveLength(1);
  await pass(10_000);
  expect(signals).toHaveLength(2);
  await pass(19_000);
  expect(signals).toHaveLength(2);
  await pass(1_000);
  expect(signals).toHaveLength(3);
  expect(lines.filter((line) => line.includes('a migration behind the start failed'))).toHaveLength(2);
});

// Without it a stop would wait for an index of an hour.
test('a stop breaks it off', async () => {
  const { signals, stop } = lateMigrations(['one'], [{ kind: 'busy' }]);
  await pass(1_000);
  await stop();
  expect(signals[0]?.aborted).toBe(true);
  await pass(60_000);
  expect(signals).toHaveLength(1);
});

test('with nothing left nothing is looked for', async () => {
  const { signals, counts } = lateMigrations([], []);
  await pass(60_000);
  expect([signals.length, counts]).toEqual([0, [0]]);
});
