import { expect, test, vi } from 'vitest';
import { advanceWork } from '../src/index.ts';
import { findOverdueFunction } from '../src/verification/overdue/find-overdue.sql.ts';
import { openTestStores } from './open-test-stores.ts';
import { anAccount, intake, PAYER_ID } from './stages.ts';
import { claimOne, ROUTE, workQueue } from './work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

/** Thousands of requests copied from one. Their sealed values do not open: they are bound to its row. */
const bulk = (requestId: string, first: number, count: number, channel: string, until: string | null) =>
  sql(
    `insert into request (id, account_id, payer_id, payer_name, input, channel, channel_until)
     select 'req_' || lpad(n::text, 26, '0'), account_id, $5, payer_name, input, $4, $6::timestamptz
     from request, generate_series($2::int, $2 + $3 - 1) n where id = $1`,
    [requestId, first, count, channel, until === null ? PAYER_ID : 'gone', until],
  );

async function pagesOfLook(): Promise<number> {
  const lines = await sql<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off) select * from ${findOverdueFunction.name}($1, $2, 500, 100)`,
    [[PAYER_ID], [3600]],
  );
  const text = lines.map((line) => line['QUERY PLAN']).join('\n');
  const [, hit = 0, read = 0] = /^ *Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/m.exec(text) ?? [];
  return Number(hit) + Number(read);
}

// Broke: until a table was first analyzed, each poll read all of it to find the lapsed leases, 98 ms of 230,000 rows;
// and requests waiting for a payer without a route were read again and again.
test('a look for what is overdue reads as much with forty thousand requests as with two', async () => {
  const leased = (await intake(store, caller)).request_id;
  await claimOne(store);
  await queue.lapse(leased);
  const { request_id: waiting } = await intake(store, caller);
  const few = await pagesOfLook();
  await bulk(waiting, 1, 20_000, 'entry', null);
  await bulk(waiting, 20_001, 20_000, 'manual_phone_call', '2026-01-01T00:00:00Z');
  const many = await pagesOfLook();
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(few + 100);
  await sql('analyze');
  expect(await pagesOfLook()).toBeLessThan(few + 100);
  expect(await advanceWork(store, [ROUTE])).toEqual({ advancedCount: 1, unreadableIds: [] });
  expect(await advanceWork(store, [ROUTE])).toEqual({ advancedCount: 0, unreadableIds: [] });
});
