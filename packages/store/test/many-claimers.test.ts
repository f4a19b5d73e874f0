import { aRequest } from '@insurance-verification/testing/a-request';
import { Kysely, PostgresDialect, sql as kyselySql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claimDueDeliveries, type Store } from '../src/index.ts';
import type { Tables } from '../src/tables/tables.ts';
import { bulkDeliveries } from './ground/bulk-deliveries.ts';
import { deliveryQueue } from './ground/delivery-queue.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue } from './ground/stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql, connectionString } = stores;
const caller = await anAccount(store);
const { request_id: requestId } = await aFinishedRequest(store, caller);
await bulkDeliveries(stores, requestId, 1_000);

// Without it two workers would hold one delivery, and its receiver would get it twice.
test('of eight claimers on two processes no two ever hold a row, and none is left over', async () => {
  const claimAll = async (claimer: Store, limit: number) => {
    const ids: string[] = [];
    for (;;) {
      const claimed = await claimDue(claimer, limit);
      if (claimed.length === 0) return ids;
      ids.push(...claimed.map(({ deliveryId }) => deliveryId));
    }
  };
  const claimers = [7, 13, 20, 64].flatMap((limit) => [claimAll(store, limit), claimAll(rival, limit)]);
  const ids = (await Promise.all(claimers)).flat();
  expect(ids).toHaveLength(1_001);
  expect(new Set(ids).size).toBe(1_001);
});

// Without it the claim of one live receiver's row would first read 50,000 of a dead one's (fault 19).
test('with 50,000 due rows of a dead host a claim reads no more rows than it leases', async () => {
  await deliveryQueue(stores).empty();
  const [dead, live] = [
    await aFinishedRequest(store, caller, aRequest({ callback_url: 'https://dead.example/' })),
    await aFinishedRequest(store, caller, aRequest({ callback_url: 'https://live.example/' })),
  ];
  await bulkDeliveries(stores, dead.request_id, 50_000, { prefix: '1' });
  await sql('vacuum analyze delivery, delivery_queue');
  const freeSlots = { perHost: 10, perAccount: 100, hosts: new Map(), lanes: new Map() };
  expect(await rowsReadByClaim({ limit: 64, freeSlots, after: null })).toBeLessThan(100);
  expect((await claimDue(store, 64, freeSlots)).map((claimed) => claimed.requestId)).toContain(
    live.request_id,
  );
});

/** The queue's rows that the claim's statement read, from tables or by an index. */
async function rowsReadByClaim(claim: Parameters<typeof claimDueDeliveries>[1]): Promise<number> {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
  });
  onTestFinished(() => db.destroy());
  const trx = await db.startTransaction().execute();
  const { claimed } = await claimDueDeliveries({ ...store, db: trx }, claim);
  const { rows } = await kyselySql<{ count: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
    left join pg_inherits on inhrelid = relid
    where coalesce(inhparent, relid) in ('delivery'::regclass, 'delivery_queue'::regclass)`.execute(trx);
  await trx.rollback().execute();
  const count = rows[0]?.count ?? 0;
  expect(count).toBeGreaterThan(claimed.length); // counting works at all
  return count;
}
