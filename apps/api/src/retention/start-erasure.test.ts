import type { ErasedBatch } from '@insurance-verification/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startErasure } from './start-erasure.ts';

/** An erasure whose batches answer as told, then that nothing is left. */
function anErasure(answers: readonly (ErasedBatch | Error)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: (string | undefined)[] = [];
  const lines: string[] = [];
  let erasedCount = 0;
  const { stop } = startErasure({
    erase: async (after) => {
      const answer = answers[asked.push(after) - 1] ?? { kind: 'done' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    erased: { inc: (count) => void (erasedCount += Number(count)) },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { asked, lines, stop, erasedCount: () => erasedCount };
}

const MINUTE_MS = 60_000;
const DONE = { kind: 'done' } as const;
const of = (accountId: string, count: number) => ({ kind: 'erased', count, accountId }) as const;

// Without it an account's second batch would wait for five minutes, or one account keep the others from their turn.
test('account after account, round after round, until nothing is left; then the log says how many', async () => {
  const { asked, lines, erasedCount } = anErasure([
    of('acct_1', 200),
    of('acct_2', 3),
    DONE,
    of('acct_1', 50),
    DONE,
  ]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(22_000);
  expect(asked).toEqual([undefined, 'acct_1', 'acct_2', undefined, 'acct_1', undefined]);
  expect(erasedCount()).toBe(253);
  expect(lines.join('')).toContain('"count":253');
});

test('it looks again every five minutes, also after a failure or another process’s turn, until it is stopped', async () => {
  const { asked, lines, stop } = anErasure([new Error('cut'), { kind: 'busy' }]);
  await vi.advanceTimersByTimeAsync(41_000);
  expect(asked).toHaveLength(1);
  expect(lines.join('')).toContain('erasing data whose retention is over failed');
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(asked).toHaveLength(3);
  await stop(0);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(asked).toHaveLength(3);
});
