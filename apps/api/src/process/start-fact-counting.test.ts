import type { CountedFacts } from '@insurance-verification/store';
import { Counter } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startFactCounting } from './start-jobs.ts';

const caughtUp: CountedFacts = { kind: 'counted', until: new Date(), caughtUp: true, overdue: {} };
const behind: CountedFacts = { ...caughtUp, caughtUp: false };

/** A counting whose batches answer as told and take so many milliseconds. */
function aCounting(answer: (batchCount: number) => CountedFacts | Error, tookMs = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const spans: number[] = [];
  const lines: string[] = [];
  const overdue = new Counter({ name: 'overdue', help: '-', labelNames: ['payer'], registers: [] });
  const { stop } = startFactCounting({
    overdue,
    count: async (spanSeconds) => {
      spans.push(spanSeconds);
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      const answered = answer(spans.length);
      if (answered instanceof Error) throw answered;
      return answered;
    },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return { stop, lines, overdue, spans };
}

const SECOND_MS = 1_000;

// Without it a first count of millions of rows would delay the start, or never end.
test('what is there already is counted batch by batch, in spans that grow while batches are quick', async () => {
  const { spans } = aCounting((batchCount) => (batchCount < 5 ? behind : caughtUp));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(spans).toEqual([]);
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS);
  expect(spans).toEqual([600, 1_200, 2_400, 4_800, 9_600]);
});

// Without it batches would hold one transaction open for minutes, and take a connection for good.
test('slow batches become smaller, and each is followed by a pause as long', async () => {
  const { spans } = aCounting(() => behind, 4 * SECOND_MS);
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS + 3 * 8 * SECOND_MS);
  expect(spans.length).toBeLessThanOrEqual(5);
  expect(spans.slice(0, 3)).toEqual([600, 300, 150]);
});

// Without it counting would cost more with every request a second.
test('counting takes a hundredth of the time, and figures are at most five minutes old', async () => {
  const { spans } = aCounting(() => caughtUp, SECOND_MS);
  await vi.advanceTimersByTimeAsync(11 * SECOND_MS);
  expect(spans).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(94 * SECOND_MS);
  expect(spans).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(7 * SECOND_MS);
  expect(spans).toHaveLength(2);
});

// Without it a database in trouble would be asked for the same batch again and again.
test('a failure is logged, and tried again after twice as long each time', async () => {
  const { lines, spans } = aCounting(() => new Error('cut'));
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  await vi.advanceTimersByTimeAsync(70 * SECOND_MS);
  expect(spans).toEqual([600, 300, 150, 75]);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('it is tried again');
});

// Without it nobody is told that desks wait in vain, or one late request raises an alarm with each batch.
test('what a batch found overdue is counted once, by payer', async () => {
  const { overdue } = aCounting((batchCount) =>
    batchCount === 1 ? { ...behind, overdue: { acme: 2, northwind: 1 } } : caughtUp,
  );
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
  const { values } = await overdue.get();
  expect(values.map(({ labels, value }) => [labels.payer, value])).toEqual([
    ['acme', 2],
    ['northwind', 1],
  ]);
});

// Without it every stop would end in an error about a closed pool.
test('after a stop nothing is counted, and a batch under way may fail unheard', async () => {
  const { lines, spans, stop } = aCounting(() => {
    void stop(0);
    return new Error('The pool is closed.');
  });
  await vi.advanceTimersByTimeAsync(600 * SECOND_MS);
  expect(spans).toHaveLength(1);
  expect(lines).toEqual([]);
});
