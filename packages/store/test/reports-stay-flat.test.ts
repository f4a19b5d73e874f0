import { expect, test, vi } from 'vitest';
import { reportHeld, reportReasons, reportRequests, reportTimes, type Store } from '../src/index.ts';
import { monthOfFacts } from '../src/testing/month-of-facts.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { anAccount, aPlatformCaller } from './ground/stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const callers = [await anAccount(store), await anAccount(store)] as const;
const many: (typeof callers)[0][] = [];
while (many.length < 28) many.push(await anAccount(store));
const idsOf = (accounts: readonly { accountId: string }[]) => accounts.map(({ accountId }) => accountId);

const HOUR_MS = 3_600_000;
const until = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
const week = { from: new Date(until.getTime() - 168 * HOUR_MS), until, step: 'day', zone: 'UTC' } as const;

type Report = (on: Store, caller: (typeof callers)[0]) => Promise<unknown>;
/** Every report that the console's page asks for and that reads facts. */
const reportsOf = (range: typeof week): readonly Report[] => [
  (on, caller) => reportRequests(on, { caller, ...range }),
  (on, caller) => reportTimes(on, { caller, of: 'result', ...range }),
  (on, caller) => reportTimes(on, { caller, of: 'handling', ...range }),
  (on, caller) => reportTimes(on, { caller, of: 'delivery', ...range }),
  (on, caller) => reportTimes(on, { caller, of: 'payer_answer', ...range }),
  (on, caller) => reportReasons(on, { caller, of: 'verification', ...range }),
  (on, caller) => reportReasons(on, { caller, of: 'delivery', ...range }),
  (on, caller) => reportHeld(on, { caller, ...range }),
];

async function pagesOfAll(caller: (typeof callers)[0]): Promise<number[]> {
  const read = [];
  for (const report of reportsOf(week)) {
    const { pageCount, plans } = await pagesRead(stores, store, (on) => report(on, caller));
    expect(plans).not.toMatch(/Seq Scan on hourly_fact/);
    read.push(pageCount);
  }
  return read;
}

// Without it a report would read every account's facts, and take seconds with a thousand of them.
test('a report of one account, or of all, reads as much with thirty accounts as with two', async () => {
  const month = { payerCount: 2, hourCount: 168, requestCount: 60 };
  await monthOfFacts(connectionString, { ...month, accountIds: idsOf(callers) });
  const few = [await pagesOfAll(callers[0]), await pagesOfAll(aPlatformCaller())];
  await sql('truncate hourly_fact');
  await monthOfFacts(connectionString, {
    ...month,
    requestCount: 900,
    accountIds: idsOf([...callers, ...many]),
  });
  const more = [await pagesOfAll(callers[0]), await pagesOfAll(aPlatformCaller())];
  // A row lies beside others of its hour, so its page is read for fewer of its own.
  for (const [who, pages] of more.entries())
    for (const [index, count] of pages.entries())
      expect(count, `${who}, ${index}`).toBeLessThan((few[who]?.[index] ?? 0) * 8 + 400);
});

// The console shows a month at once: read from the requests it would take minutes, and from too wide facts seconds.
test('a month of ten million requests is read in a few thousand pages, of all accounts or of one', async () => {
  await sql('truncate hourly_fact');
  await monthOfFacts(connectionString, {
    accountIds: idsOf(callers),
    payerCount: 4,
    hourCount: 744,
    requestCount: 10_000_000 / 744,
  });
  const month = { from: new Date(until.getTime() - 744 * HOUR_MS), until, step: 'day', zone: 'UTC' } as const;
  for (const caller of [callers[0], aPlatformCaller()]) {
    const read = [];
    for (const report of reportsOf(month)) {
      const { pageCount, plans } = await pagesRead(stores, store, (on) => report(on, caller));
      expect(plans).not.toMatch(/Seq Scan on hourly_fact/);
      read.push(pageCount);
    }
    // The slowest, times by channel, takes 118 to 144 ms of a busy machine; the widest reads 6,487 pages.
    expect(Math.max(...read)).toBeLessThan(8_000);
  }
});
