import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { advanceWork, type OverduePlace } from '../src/index.ts';
import type { Tables } from '../src/tables.ts';
import type { AdvancedWork } from '../src/verification/overdue/advance-work.ts';
import { findOverdueFunction } from '../src/verification/overdue/find-overdue.sql.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { anAccount, intake, PAYER_ID } from './ground/stages.ts';
import { withoutSummaries } from './ground/without-summaries.ts';
import { aRoute, claimOne, ROUTE, workQueue } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);
await withoutSummaries(stores);

/** Thousands of requests copied from one. Their sealed values do not open: they are bound to its row. */
const bulk = (requestId: string, first: number, count: number, channel: string, until: string | null) =>
  sql(
    `insert into request (id, account_id, payer_id, payer_name, input, channel, channel_until)
     select 'req_' || lpad(n::text, 26, '0'), account_id, $5, payer_name, input, $4, $6::timestamptz
     from request, generate_series($2::int, $2 + $3 - 1) n where id = $1`,
    [requestId, first, count, channel, until === null ? PAYER_ID : 'gone', until],
  );

async function pagesOfLook(): Promise<number> {
  // The least of three: a session that plans the function, also anew after an analyze, reads the catalog besides.
  return Math.min(await pagesOfOne(), await pagesOfOne(), await pagesOfOne());
}

async function pagesOfOne(): Promise<number> {
  const lines = await sql<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off) select * from ${findOverdueFunction.name}(
      $1, $2, 500, 100, 500, null, null, null)`,
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
  expect(await advanceWork(store, [ROUTE])).toMatchObject({ advancedCount: 1, unreadableIds: [] });
  expect(await advanceWork(store, [ROUTE])).toMatchObject({ advancedCount: 0, unreadableIds: [] });
});

/** How often each table was read from its beginning to its end, as the server counts it. */
async function wholeReads(): Promise<Record<string, number>> {
  const counts = await sql<{ name: string; count: number }>(
    `select relname as name, seq_scan::int as count from pg_stat_user_tables
     where relname ~ '^(request|work_queue)'`,
  );
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}

// Broke: each poll probed every account with something waiting, of every payer.
test('with a thousand accounts and many overdue, calls look at a part each, by index alone, and none is forgotten', async () => {
  await queue.empty();
  const { request_id: model } = await intake(store, caller);
  await sql('delete from work_queue where request_id = $1', [model]);
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, work_due_at)
     select 'req_8' || lpad(n::text, 25, '0'), 'acct_' || lpad((case when n > 3000 then 0 else n % 1000 end)::text, 26, '0'),
       'plan-' || n % 2 + 1, payer_name, input, now() - case when n % 3 = 0 then interval '2 h' else interval '0' end
     from request, generate_series(1, 9000) n where id = $1`,
    [model],
  );
  const routes = [1, 2].map((n) =>
    aRoute(['agent_web_portal', 'manual_phone_call'], { payerId: `plan-${n}` }),
  );
  const due = async () =>
    (
      await sql<{ count: number }>(
        `select count(*)::int as count from work_queue
         where pool = 'live' and channel = 'entry' and due_at < now() - interval '1 h'`,
      )
    )[0]?.count ?? 0;
  expect(await due()).toBe(3_000);

  const pool = new pg.Pool({ connectionString: stores.connectionString, max: 1 });
  onTestFinished(() => pool.end());
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const before = await wholeReads();
  let place: OverduePlace | null = null;
  let circleCount = 0;
  for (let left = 3_000; left > 0; left = await due()) {
    const advanced: AdvancedWork = await advanceWork({ ...store, db }, routes, place);
    expect(advanced.advancedCount).toBeLessThanOrEqual(1_000);
    ({ place } = advanced);
    if (place === null) circleCount += 1;
    expect(circleCount).toBeLessThan(30);
  }
  await pool.query('select pg_stat_force_next_flush()');
  expect(await wholeReads()).toEqual(before);

  // Nothing is overdue any more, and still a look reads no more than its part of the accounts.
  const looks: number[] = [];
  place = null;
  do {
    const pages: { pageCount: number } = await pagesRead(stores, store, async (one) => {
      ({ place } = await advanceWork(one, routes, place));
    });
    looks.push(pages.pageCount);
  } while (place !== null);
  expect(looks.length).toBeGreaterThan(1);
  expect(Math.max(...looks)).toBeLessThan(500 * 6); // a probe reads an index of three levels, and its row
});
