import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claimDueDeliveries, type Lane, type Rooms, type Store } from '../src/index.ts';
import type { Tables } from '../src/tables.ts';
import { bulkDeliveries } from './bulk-deliveries.ts';
import { deliveryQueue } from './delivery-queue.ts';
import { openTestStores } from './open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue } from './stages.ts';
import { aRequest } from './builders.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql, connectionString } = stores;
const caller = await anAccount(store);
const { request_id: requestId } = await aFinishedRequest(store, caller);
await bulkDeliveries(stores, requestId, 1_000);

// Without it two workers would hold one delivery, and its receiver get it twice.
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

// Without it the claim of one live receiver's row would read 50,000 of a dead one's first (fault 19).
test('behind 50,000 due rows of a dead host a claim reads no more rows than it leases', async () => {
  await deliveryQueue(stores).empty();
  const [dead, live] = [
    await aFinishedRequest(store, caller, aRequest({ callbackUrl: 'https://dead.example/' })),
    await aFinishedRequest(store, caller, aRequest({ callbackUrl: 'https://live.example/' })),
  ];
  await bulkDeliveries(stores, dead.request_id, 50_000, { prefix: '1' });
  await sql('vacuum analyze delivery');
  const rooms = { perHost: 10, perAccount: 100, hosts: new Map(), accounts: new Map() };
  const page = await explainClaim({ limit: 64, rooms, after: null });
  const reads = [...page.matchAll(/on delivery.*actual rows=([\d.]+) loops=(\d+)/g)];
  expect(reads.length).toBeGreaterThan(2);
  for (const [, rows, loops] of reads) expect(Number(rows) * Number(loops)).toBeLessThan(100);
  for (const [, removed] of page.matchAll(/Rows Removed by Filter: (\d+)/g))
    expect(Number(removed)).toBeLessThan(100);
  expect(page).toContain('using delivery_due');
  expect((await claimDue(store, 64, rooms)).map((claimed) => claimed.requestId)).toContain(live.request_id);
});

/** What the claim's statement did, node by node; it is rolled back. */
async function explainClaim(claim: { limit: number; rooms: Rooms; after: Lane | null }): Promise<string> {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await claimDueDeliveries({ ...store, db }, { ...claim, limit: 0 });
  const [statement] = sent;
  const parameters = statement?.parameters.map((parameter) => (parameter === 0 ? claim.limit : parameter));
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, costs off, timing off) ${statement?.sql}`,
      values: parameters,
    });
    return rows.map((line) => line['QUERY PLAN']).join('\n');
  } finally {
    await client.query('rollback');
    client.release();
  }
}
