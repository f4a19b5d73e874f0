import type { SealedLines } from '@insurance-verification/store';
import { Counter, Gauge } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { createSealingStatus } from '../telemetry/sealing-status.ts';
import { startSealing } from './start-sealing.ts';

const SECOND_MS = 1_000;
const drop = { number: 2, note: 'signed too' };
const seal = {
  number: 7,
  lineCount: 12,
  note: 'signed',
  misdated: { count: 0, ids: [] },
  tables: [],
  drops: [],
};
const sealed: SealedLines = { kind: 'sealed', seal, caughtUp: true };

/** A sealing that answers as told. */
function aSealing(answer: (callCount: number) => SealedLines | Error) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const gauge = new Gauge({ name: 'stopped', help: 'x', labelNames: ['cause'], registers: [] });
  const status = createSealingStatus(gauge);
  const misdatedLines = new Counter({ name: 'misdated', help: 'x', registers: [] });
  const alteredTables = new Counter({ name: 'altered', help: 'x', labelNames: ['fault'], registers: [] });
  let callCount = 0;
  const { stop, sealRest } = startSealing({
    seal: async () => {
      callCount += 1;
      const answered = answer(callCount);
      if (answered instanceof Error) throw answered;
      return answered;
    },
    status,
    misdatedLines,
    alteredTables,
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  return {
    stop,
    sealRest,
    status,
    gauge,
    misdatedLines,
    alteredTables,
    lines,
    callCount: () => callCount,
  };
}

// Without it a line could be changed for longer than it has to be before anybody could tell.
test('every ten seconds what is new is sealed, and logged with its note', async () => {
  const { callCount, lines } = aSealing((count) => (count === 2 ? { kind: 'none' } : sealed));
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(callCount()).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    seal: 7,
    lines: 12,
    note: 'signed',
    msg: 'sealed the audit',
  });
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect([callCount(), lines.length]).toEqual([2, 1]);
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect([callCount(), lines.length]).toEqual([3, 2]);
});

// Without it whoever watches the log alone would not learn that lines of the audit are gone.
test('lines that were dropped since the seal before are logged with their record', async () => {
  const { lines } = aSealing(() => ({ ...sealed, seal: { ...seal, drops: [drop] } }));
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { drop: 2, note: 'signed too', msg: 'lines of the audit were dropped with their month' },
    { seal: 7 },
  ]);
});

test('what was there before is sealed part by part', async () => {
  const { callCount } = aSealing((count) =>
    count < 20 ? { kind: 'sealed', seal, caughtUp: false } : sealed,
  );
  while (callCount() === 0) await vi.advanceTimersByTimeAsync(100); // the first one comes at a random time
  await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
  expect(callCount()).toBe(20);
});

// Without it nobody would learn why nothing is sealed, or would learn it six times a minute.
test.each([
  [{ kind: 'damaged', number: 3 } as const, 'the newest seal of the audit was changed'],
  [
    { kind: 'differs', fault: 'absent', of: 'seal', number: 3 } as const,
    'the database is not what AUDIT_SEAL_FILE has',
  ],
])('%j is logged once a minute', async (answer, sentence) => {
  const { callCount, lines } = aSealing(() => answer);
  await vi.advanceTimersByTimeAsync(59 * SECOND_MS);
  expect(callCount()).toBeGreaterThan(4);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(sentence);
});

test('a failure is logged and tried again, and after a stop nothing is', async () => {
  const { callCount, lines, stop } = aSealing(() => new Error('cut'));
  await vi.advanceTimersByTimeAsync(25 * SECOND_MS);
  expect(lines[0]).toContain('sealing the audit failed; it is tried again');
  const before = callCount();
  expect(before).toBeGreaterThan(1);
  await stop(0);
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
  expect(callCount()).toBe(before);
});

// Breaks if an operator could learn of a rewritten past from the log alone, or the sign stayed after it was put right.
test('what stops the sealing is reported until it is put right', async () => {
  const { status, gauge } = aSealing((count) =>
    count < 3 ? { kind: 'differs', fault: 'absent', of: 'seal', number: 9 } : sealed,
  );
  const stoppedBy = async () => (await gauge.get()).values.filter(({ value }) => value === 1);
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);
  expect(status.stopped()).toMatchObject({
    cause: 'differs',
    fault: 'absent',
    number: 9,
    since: expect.any(Date),
  });
  expect(await stoppedBy()).toMatchObject([{ labels: { cause: 'differs' } }]);
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(status.stopped()).toBeNull();
  expect(await stoppedBy()).toEqual([]);
});

// Without it the last lines of a process wait for another's seal, or for its next start, and may be changed meanwhile.
test('at the end what is left is sealed, part by part', async () => {
  const { callCount, stop, sealRest } = aSealing((count) => ({ ...sealed, caughtUp: count === 3 }));
  await stop(0);
  await sealRest();
  expect(callCount()).toBe(3);
});

// Broke: it was reported at once and without a name, and a lock upon the log not at all.
test('a session that blocks the sealing for half a minute is named, until sealing continues', async () => {
  const holders = [{ pid: 4711, application: 'a report', role: 'bi' }];
  const { status, lines, gauge } = aSealing((count) => (count < 6 ? { kind: 'waiting', holders } : sealed));
  await vi.advanceTimersByTimeAsync(29 * SECOND_MS);
  expect([status.stopped(), lines]).toEqual([null, []]);
  await vi.advanceTimersByTimeAsync(21 * SECOND_MS);
  expect(status.stopped()).toEqual({ cause: 'blocked', holders, since: expect.any(Date) });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    holders,
    msg: expect.stringContaining('the audit cannot be sealed: somebody holds a lock'),
  });
  expect((await gauge.get()).values).toContainEqual(
    expect.objectContaining({ labels: { cause: 'blocked' }, value: 1 }),
  );
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);
  expect(status.stopped()).toBeNull();
});

// Processes take turns: one that finds another sealing knows nothing new.
test('a process that finds another one sealing keeps what it knew', async () => {
  const { status } = aSealing((count) =>
    count === 2 ? { kind: 'busy', holders: [] } : { kind: 'differs', fault: 'absent', of: 'seal', number: 9 },
  );
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);
  expect(status.stopped()).toMatchObject({ cause: 'differs' });
});

// Broke: whoever wrote a line chose its time, and nobody learnt of it.
test('lines whose time is not when they were written are logged and counted', async () => {
  const { lines, misdatedLines } = aSealing(() => ({
    ...sealed,
    seal: { ...seal, misdated: { count: 2, ids: ['40', '44'] } },
  }));
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ seal: 7, lines: 2, first: ['40', '44'] });
  expect((await misdatedLines.get()).values).toMatchObject([{ value: 2 }]);
});

// Broke: only a verification looked at the tables' triggers, so one that stood for a seal and was dropped left no trace.
test('tables that are not as the schema makes them are logged and counted', async () => {
  const tables = [{ table: 'staff', fault: 'other_trigger' } as const];
  const { lines, alteredTables } = aSealing(() => ({ ...sealed, seal: { ...seal, tables } }));
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, seal: 7, tables });
  const { values } = await alteredTables.get();
  expect(values).toContainEqual({ labels: { fault: 'rules' }, value: 0 });
  expect(values).toContainEqual({ labels: { fault: 'other_trigger' }, value: 1 });
});
