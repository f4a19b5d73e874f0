import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { sql as kysely } from 'kysely';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, intake, type StoredRequest, submit } from '../../test/ground/stages.ts';
import { type Caller, countFacts, readReport, searchRequests, type Store } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

async function countAll(on: Store) {
  const overdue: Record<string, number> = {};
  for (;;) {
    const counted = await countFacts(on, { spanSeconds: 14_400, settledSeconds: 0 });
    if (counted.kind !== 'counted') continue;
    for (const [payer, count] of Object.entries(counted.overdue))
      overdue[payer] = (overdue[payer] ?? 0) + count;
    if (counted.caughtUp) return overdue;
  }
}

const HOUR_MS = 3_600_000;

/** A second from now, which is over when this resolves. */
async function inASecond(make: (neededBy: Date) => Promise<void>): Promise<void> {
  const neededBy = new Date(Date.now() + 1_000);
  await make(neededBy);
  await until('its time is past', async () => {
    const [row] = await sql<{ past: boolean }>('select now() > $1 as past', [neededBy]);
    return row?.past;
  });
}

// Without it a desk would not know what came too late, or one late request would count as several.
test('a request counts once as met or overdue, in its list, its report and what is said of it', async () => {
  const caller = await anAccount(store);
  await countAll(store);
  const late: StoredRequest[] = [];
  await inASecond(async (neededBy) => {
    const met = await intake(store, caller, aRequest(), { neededBy });
    await submit(store, anOutput(met));
    for (let count = 0; count < 2; count += 1)
      late.push(await intake(store, caller, aRequest(), { neededBy }));
    await intake(store, caller, aRequest(), { neededBy: new Date(Date.now() + HOUR_MS) });
    await intake(store, caller);
    expect(await countAll(store)).toEqual({});
  });
  const listed = async () => {
    const { items } = await searchRequests(store, { caller, routes: [], limit: 10 });
    return items.filter(({ overdue }) => overdue).map(({ request_id: id }) => id);
  };
  const lateIds = late.map(({ request_id: id }) => id).toReversed();
  expect(await listed()).toEqual(lateIds);
  const [one, other] = await Promise.all([countAll(store), countAll(rival)]);
  expect((one['plan-1'] ?? 0) + (other['plan-1'] ?? 0)).toBe(2);
  expect(await report(caller)).toEqual({ met: 1, overdue: 2 });
  // A late result stays late, and counts no second time.
  for (const request of late) await submit(store, anOutput(request));
  expect(await listed()).toEqual(lateIds);
  expect(await countAll(store)).toEqual({});
  expect(await report(caller)).toEqual({ met: 1, overdue: 2 });
});

async function report(caller: Caller) {
  const from = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS);
  const range = { from, until: new Date(from.getTime() + 3 * HOUR_MS), step: 'hour', zone: 'UTC' } as const;
  const reported = await readReport(store, { of: 'requests', caller, ...range, routes: [] });
  if (reported.kind !== 'reported') throw new Error(reported.kind);
  const sum = (name: 'met_count' | 'overdue_count') =>
    reported.items.reduce((total, item) => total + (item[name] ?? 0), 0);
  return { met: sum('met_count'), overdue: sum('overdue_count') };
}

// Without it a request that was needed while it was stored would be in no figure: that time is counted already.
test('one that is needed no later than it is received counts when it is received', async () => {
  const caller = await anAccount(store);
  await countAll(store);
  await intake(store, caller, aRequest(), { neededBy: new Date(Date.now() - 600_000) });
  expect(await countAll(store)).toEqual({ 'plan-1': 1 });
  expect(await countAll(store)).toEqual({});
});

// Without it a result that was in time, and committed late, would count as missing.
test('nothing of a time is counted while a transaction of that time may still write its result', async () => {
  const caller = await anAccount(store);
  await countAll(store);
  const counts: Record<string, number>[] = [];
  await inASecond(async (neededBy) => {
    const request = await intake(store, caller, aRequest(), { neededBy });
    await store.db.transaction().execute(async (trx) => {
      await kysely`insert into result (request_id, version, outcome, body, digest)
        values (${request.request_id}, 1, 'complete', '', '')`.execute(trx);
      await until('its time is past', async () => {
        const [row] = await sql<{ past: boolean }>('select clock_timestamp() > $1 as past', [neededBy]);
        return row?.past;
      });
      counts.push(await countAll(rival));
    });
  });
  counts.push(await countAll(store));
  expect(counts).toEqual([{}, {}]);
});
