import { expect, test, vi } from 'vitest';
import { readQueueDepths } from '../src/facts/depths/read-queue-depths.ts';
import { measureDeliveryQueue, refreshQueueDepths } from '../src/index.ts';
import { bulkDeliveries } from './ground/bulk-deliveries.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { aFinishedRequest, anAccount, intake } from './ground/stages.ts';
import { ROUTE } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql } = stores;
const caller = await anAccount(store);
const other = await anAccount(store);
const routes = [ROUTE];

const read = (on = store, scope = 'live') => readQueueDepths(on, { queue: 'work', routes, scope });
const waiting = async (scope = 'live') =>
  (await read(store, scope)).depths.reduce((sum, depth) => sum + depth.waiting_count, 0);

/** Requests that wait, copied from one. */
const wait = (requestId: string, prefix: string, count: number) =>
  sql(
    `insert into request (id, account_id, payer_id, payer_name, input)
     select 'req_' || $3 || lpad(n::text, 20, '0'), account_id, payer_id, payer_name, input
     from request, generate_series(1, $2::int) n where id = $1`,
    [requestId, count, prefix],
  );

// Broke: the gauges read every request there ever was: 10 s of each scrape with ten million.
test('the gauges of a long queue read a few pages, however long it is and however much is done', async () => {
  const { request_id: model } = await intake(store, caller);
  await intake(store, other);
  expect([await waiting(), await waiting(other.accountId)]).toEqual([2, 1]);

  await wait(model, 'a', 800);
  const { request_id: done } = await aFinishedRequest(store, caller);
  await bulkDeliveries(stores, done, 800);
  await sql('analyze');
  // The first to ask counts, and keeps what it counted.
  expect([await waiting(), (await measureDeliveryQueue(store)).pendingCount]).toEqual([802, 801]);
  const few = await pagesRead(stores, store, read);

  await wait(model, 'b', 8_000);
  await bulkDeliveries(stores, done, 8_000, { prefix: '1' });
  await sql('analyze');
  expect(await waiting()).toBe(802);
  await refreshQueueDepths(store, { routes });
  expect(await waiting()).toBe(802); // counted a moment ago
  await sql(`update queue_count set counted_at = counted_at - interval '1 minute'`);
  await Promise.all([refreshQueueDepths(store, { routes }), refreshQueueDepths(rival, { routes })]);
  expect([await waiting(), await waiting(caller.accountId), await waiting(other.accountId)]).toEqual([
    8_802, 8_801, 1,
  ]);
  expect((await measureDeliveryQueue(store)).pendingCount).toBe(8_801);

  for (const gauge of [read, measureDeliveryQueue]) {
    const { pageCount, plans } = await pagesRead(stores, store, gauge);
    expect(pageCount).toBeLessThan(100);
    expect(plans).not.toMatch(/on (request|delivery)\b/);
  }
  expect((await pagesRead(stores, store, read)).pageCount).toBeLessThan(few.pageCount + 20);
});

// Without it the gauges would show a backlog for as long as nobody counts, after it has been worked off.
test('a queue that has become short is counted when asked again', async () => {
  await sql(
    `update request set outcome = 'complete', version = 1 where id like 'req_a%' or id like 'req_b%'`,
  );
  await sql(`update queue_count set counted_at = counted_at - interval '1 minute'`);
  await refreshQueueDepths(store, { routes });
  expect(await waiting()).toBe(2);
  await intake(store, caller);
  expect(await waiting()).toBe(3);
});

// Without it a service without housekeeping would show the same numbers for good.
test('a count that nobody has renewed for long is not believed', async () => {
  await sql(
    `insert into queue_count (queue, counted_at, row_count, duration_ms) values ('work', now() - interval '16 minutes', 9, 9)`,
  );
  expect(await waiting()).toBe(3);
});
