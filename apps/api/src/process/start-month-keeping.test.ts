import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startMonthKeeping } from './start-jobs.ts';

/** Keeps months from a time on; each run makes what is given, or fails. */
function keepMonths(from: string, answers: readonly (readonly string[] | Error)[] = []) {
  vi.useFakeTimers({ now: new Date(from) });
  onTestFinished(() => void vi.useRealTimers());
  const runs: string[] = [];
  const lines: string[] = [];
  const counts: number[] = [];
  startMonthKeeping({
    make: async () => {
      const answer = answers[runs.push(new Date().toISOString()) - 1] ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    count: async () => 2,
    ahead: { set: (count: unknown) => void counts.push(Number(count)) },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { runs, lines, counts };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Without it the last part would take all that follows, and no month of it could ever be dropped.
test('the parts of months to come are made after the start and hourly, and their count is shown', async () => {
  const { runs, lines, counts } = keepMonths('2026-11-10T10:00:00Z', [['access_log_2027_01']]);
  await pass(15_000);
  expect([runs.length, counts]).toEqual([1, [2]]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { parts: ['access_log_2027_01'], msg: 'made the parts of the log for the months to come' },
  ]);
  await pass(2 * 3_600_000);
  expect([runs.length, lines.length]).toEqual([3, 1]);
});

// Without it lines of up to an hour of a month would go with the month before.
test('when a month begins a run comes within seconds', async () => {
  const { runs } = keepMonths('2026-12-31T23:50:00Z');
  await pass(10 * 60_000 + 10_000);
  expect(runs.at(-1)).toMatch(/^2027-01-01T00:00:(0\d|10)/);
  await pass(10_000);
  expect(runs).toHaveLength(2);
});

// Without it one lock that it met would cost the hour, and nobody would learn of it.
test('a run that fails is logged and tried again, and the count is shown all the same', async () => {
  const { runs, lines, counts } = keepMonths('2026-11-10T10:00:00Z', [new Error('lock timeout')]);
  await pass(15_000);
  expect([runs.length, counts]).toEqual([1, [2]]);
  expect(lines.join('')).toContain('could not make the parts of the log for the months to come');
  await pass(10_000);
  expect(runs).toHaveLength(2);
});
