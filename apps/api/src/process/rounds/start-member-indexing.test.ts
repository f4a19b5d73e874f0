import type { IndexedMembers } from '@insurance-verification/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { startMemberIndexing } from './start-member-indexing.ts';

/** An indexing whose batches answer as told. */
function anIndexing(answers: readonly (IndexedMembers | Error)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: (string | undefined)[] = [];
  const lines: string[] = [];
  const { stop } = startMemberIndexing({
    index: async (before) => {
      const answer = answers[asked.push(before) - 1] ?? { kind: 'indexed', count: 0, before: null };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { asked, lines, stop };
}

const SECOND_MS = 1_000;

// Without it a first start after the upgrade would leave every earlier request unfound, or say nothing of it.
test('requests of before are indexed batch after batch behind the start, and the log says when all are', async () => {
  const { asked, lines } = anIndexing([
    { kind: 'indexed', count: 200, before: 'req_2' },
    { kind: 'indexed', count: 50, before: null },
  ]);
  await vi.advanceTimersByTimeAsync(9 * SECOND_MS);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(12 * SECOND_MS);
  expect(asked).toEqual([undefined, 'req_2']);
  expect(lines.join('')).toMatch(/indexing the member ids of earlier requests.*"count":250/s);
});

// A process of the version before may still run, and writes requests without a number.
test('it looks again every five minutes, also after a failure or another process’s turn, until it is stopped', async () => {
  const { asked, lines, stop } = anIndexing([new Error('cut'), { kind: 'busy' }]);
  await vi.advanceTimersByTimeAsync(21 * SECOND_MS);
  expect(asked).toHaveLength(1);
  expect(lines.join('')).toContain('indexing member ids failed');
  await vi.advanceTimersByTimeAsync(600 * SECOND_MS);
  expect(asked).toHaveLength(3);
  await stop(0);
  await vi.advanceTimersByTimeAsync(600 * SECOND_MS);
  expect(asked).toHaveLength(3);
});
