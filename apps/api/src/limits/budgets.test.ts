import type { BudgetGrant, BudgetRequest } from '@insurance-verification/store';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { takeUnits, type Verdict } from './budget.ts';
import { createBudgets } from './budgets.ts';
import { policyOf } from './limiter.ts';

/** The budget that processes share, in memory, on a clock that the test moves. */
function aSharedBudget() {
  const tats = new Map<string, number>();
  const clock = { nowMs: 1_000_000 };
  const asked: BudgetRequest[] = [];
  let failure: Error | 'silence' | null = null;
  const lines: string[] = [];
  const share = async (request: BudgetRequest): Promise<BudgetGrant> => {
    if (failure === 'silence') return new Promise(() => undefined);
    if (failure) throw failure;
    asked.push(request);
    const name = `${request.policy} ${request.subject}`;
    const grant = takeUnits(tats.get(name) ?? 0, clock.nowMs, request);
    tats.set(name, clock.nowMs + grant.backlogMs);
    return grant;
  };
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const aProcess = (patienceMs = 60_000) => createBudgets({ share, log, now: () => clock.nowMs, patienceMs });
  const fail = (how: typeof failure) => void (failure = how);
  return { clock, asked, lines, fail, aProcess };
}

const small = policyOf('redeliver-exhausted');
const large = policyOf('intake', { quota: 360_000, windowSeconds: 60 });

const allowedOf = async (verdicts: readonly (Verdict | Promise<Verdict>)[]) =>
  (await Promise.all(verdicts.map((verdict) => Promise.resolve(verdict)))).filter(({ allowed }) => allowed)
    .length;

const takes = (budgets: ReturnType<typeof createBudgets>, policy: typeof small, count: number) =>
  Array.from({ length: count }, () => budgets.take(policy, 'acct_1'));

// Without it each process would allow six a minute of its own.
test('a small quota is exact, over two processes too, and says when more is there', async () => {
  const { clock, aProcess } = aSharedBudget();
  const [one, other] = [aProcess(), aProcess()];
  expect(await one.take(small, 'acct_1')).toEqual({ allowed: true, remaining: 5, seconds: 10 });
  expect(await other.take(small, 'acct_1')).toEqual({ allowed: true, remaining: 4, seconds: 10 });
  expect(await allowedOf([...takes(one, small, 5), ...takes(other, small, 5)])).toBe(4);
  expect(await one.take(small, 'acct_1')).toEqual({ allowed: false, remaining: 0, seconds: 10 });
  clock.nowMs += 4000;
  expect(await one.take(small, 'acct_1')).toEqual({ allowed: false, remaining: 0, seconds: 6 });
  clock.nowMs += 6000;
  expect(await one.take(small, 'acct_1')).toMatchObject({ allowed: true, remaining: 0 });
  expect(await other.take(small, 'acct_1')).toMatchObject({ allowed: false });
  expect(await other.take(small, 'acct_2')).toMatchObject({ allowed: true });
});

// Without it every request would query the database.
test('6,000 a second cost some ten statements, and hardly one waits for them', async () => {
  const { clock, asked, aProcess } = aSharedBudget();
  const budgets = aProcess();
  await budgets.take(large, 'acct_1');
  const second = async () => {
    let waitCount = 0;
    for (let ms = 0; ms < 1000; ms += 1) {
      clock.nowMs += 1;
      for (const verdict of takes(budgets, large, 6)) {
        if (verdict instanceof Promise) waitCount += 1;
        expect((await verdict).allowed).toBe(true);
      }
    }
    return waitCount;
  };
  await second();
  asked.length = 0;
  expect(await second()).toBe(0);
  expect(asked.length).toBeGreaterThanOrEqual(9);
  expect(asked.length).toBeLessThanOrEqual(14);
});

// Without it ten processes that see an account once a second would use up its budget among them.
test('a quiet subject holds next to nothing from the others', async () => {
  const { clock, asked, aProcess } = aSharedBudget();
  const budgets = aProcess();
  for (let round = 0; round < 20; round += 1) {
    expect(await budgets.take(large, 'acct_1')).toMatchObject({ allowed: true });
    clock.nowMs += 5000;
  }
  expect(Math.max(...asked.map(({ want }) => want))).toBeLessThanOrEqual(2);
});

// Without it a burst of one subject would send a statement per call.
test('those that come together share the statement', async () => {
  const { asked, aProcess } = aSharedBudget();
  expect(await allowedOf(takes(aProcess(), large, 500))).toBe(500);
  expect(asked.length).toBeLessThanOrEqual(4);
});

// Without it rows that a list read would be free.
test('what is charged afterwards is paid before anything else is had', async () => {
  const { clock, aProcess } = aSharedBudget();
  const reads = policyOf('reads', { quota: 100, windowSeconds: 100 });
  const budgets = aProcess();
  expect(await budgets.take(reads, 'acct_1')).toMatchObject({ remaining: 99 });
  budgets.charge(reads, 'acct_1', 119);
  expect(await budgets.take(reads, 'acct_1')).toMatchObject({ allowed: false, seconds: 21 });
  clock.nowMs += 20_000;
  expect(await budgets.take(reads, 'acct_1')).toMatchObject({ allowed: false, seconds: 1 });
  clock.nowMs += 1000;
  expect(await budgets.take(reads, 'acct_1')).toMatchObject({ allowed: true, remaining: 0 });
});

// Without it a database that is away would make every call an error, or let every call through.
test.each([new Error('away'), 'silence'] as const)(
  'without the database (%s) a process decides by itself by the same rule, and says so once',
  async (how) => {
    const { clock, lines, fail, aProcess } = aSharedBudget();
    const budgets = aProcess(how === 'silence' ? 1 : 60_000);
    expect(await budgets.take(small, 'acct_1')).toMatchObject({ remaining: 5 });
    fail(how);
    expect(await allowedOf(takes(budgets, small, 10))).toBe(5);
    clock.nowMs += 2000;
    expect(await budgets.take(small, 'acct_1')).toMatchObject({ allowed: false, seconds: 8 });
    clock.nowMs += 8000;
    expect(await allowedOf(takes(budgets, small, 10))).toBe(1);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'limits cannot be shared; this process decides alone',
    ]);
    fail(null);
    clock.nowMs += 60_000;
    await budgets.take(small, 'acct_1');
    expect(JSON.parse(lines.at(-1) ?? '').msg).toBe('limits are shared with the other processes again');
  },
);

// Broke: the twenty-first client of a second was decided alone, in a loop that never ended.
test('ever new addresses cost few statements, and each is still counted', async () => {
  const { asked, aProcess } = aSharedBudget();
  const budgets = aProcess();
  const wrongKeys = policyOf('wrong-keys');
  for (let client = 0; client < 15_000; client += 1)
    expect(await budgets.take(wrongKeys, `2001:db8:${client}::/64`)).toMatchObject({ allowed: true });
  expect(asked).toHaveLength(20);
  const last = Array.from({ length: 80 }, () => budgets.take(wrongKeys, '2001:db8:14999::/64'));
  expect(await allowedOf(last)).toBe(59);
});

// Broke: of sixty wrong keys twenty were shared, and a second later the shared budget gave the other forty again.
test('what a process decided by itself is reported to the shared budget once it is asked again', async () => {
  const { clock, aProcess } = aSharedBudget();
  const wrongKeys = policyOf('wrong-keys');
  const [one, other] = [aProcess(), aProcess()];
  const oneByOne = async (budgets: typeof one, count: number) => {
    let allowed = 0;
    for (let nth = 0; nth < count; nth += 1)
      allowed += Number((await budgets.take(wrongKeys, '198.51.100.1')).allowed);
    return allowed;
  };
  expect(await oneByOne(one, 80)).toBe(60);
  clock.nowMs += 5000;
  expect(await oneByOne(one, 80)).toBe(5);
  expect(await oneByOne(other, 80)).toBe(0);
  clock.nowMs += 120_000;
  expect(await oneByOne(other, 80)).toBe(60);
});

// Without it an operator's raised limit would hold only after the old one's refusals have run out.
test('a quota that is changed counts from then on at its own rate', async () => {
  const { clock, aProcess } = aSharedBudget();
  const budgets = aProcess();
  expect(await allowedOf(takes(budgets, small, 10))).toBe(6);
  clock.nowMs += 1000;
  const raised = policyOf('redeliver-exhausted', { quota: 60, windowSeconds: 60 });
  expect(await budgets.take(raised, 'acct_1')).toMatchObject({ allowed: true, remaining: 0 });
  const wider = policyOf('redeliver-exhausted', { quota: 60, windowSeconds: 600 });
  expect(await budgets.take(wider, 'acct_1')).toMatchObject({ allowed: true });
});

// Without it some mixture of calls, pauses and processes could exceed the quota by more than a slice each.
test('no mixture of calls and pauses over two processes gives more than the quota and what comes back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 3000 })), {
        minLength: 1,
        maxLength: 40,
      }),
      async (quota, steps) => {
        const { clock, aProcess } = aSharedBudget();
        const policy = policyOf('intake', { quota, windowSeconds: 10 });
        const [one, other] = [aProcess(), aProcess()];
        let allowed = 0;
        let passedMs = 0;
        for (const [first, count, pauseMs] of steps) {
          allowed += await allowedOf(takes(first ? one : other, policy, count));
          expect(allowed).toBeLessThanOrEqual(quota + (passedMs * quota) / 10_000 + 1);
          clock.nowMs += pauseMs;
          passedMs += pauseMs;
        }
      },
    ),
    { numRuns: 200 },
  );
});
