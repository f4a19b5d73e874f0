import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claimDueDeliveries, type Store } from '../src/index.ts';
import type { Tables } from '../src/tables.ts';
import { bulkDeliveries } from './bulk-deliveries.ts';
import { openTestStores } from './open-test-stores.ts';
import { aFinishedRequest, anAccount } from './stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql, connectionString } = stores;
const { request_id: requestId } = await aFinishedRequest(store, await anAccount(store));
await bulkDeliveries(stores, requestId, 1_000);

// Without it the claim of one row would read and sort every unfinished row: 50,000 for one dead host.
test('a claim reads the due rows from their index, in order', async () => {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await claimDueDeliveries({ ...store, db }, 0);
  await sql('analyze delivery');
  const [claim] = sent;
  const parameters = claim?.parameters.map((parameter) => (parameter === 0 ? 64 : parameter)); // the limit
  const lines = await sql<{ 'QUERY PLAN': string }>(`explain ${claim?.sql}`, parameters);
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using delivery_due');
  expect(plan).not.toContain('Sort');
});

// Without it two workers would hold one delivery, and its receiver get it twice.
test('of eight claimers on two processes no two ever hold a row, and none is left over', async () => {
  const claimAll = async (claimer: Store, limit: number) => {
    const ids: string[] = [];
    for (;;) {
      const claimed = await claimDueDeliveries(claimer, limit);
      if (claimed.length === 0) return ids;
      ids.push(...claimed.map(({ deliveryId }) => deliveryId));
    }
  };
  const claimers = [7, 13, 20, 64].flatMap((limit) => [claimAll(store, limit), claimAll(rival, limit)]);
  const ids = (await Promise.all(claimers)).flat();
  expect(ids).toHaveLength(1_001);
  expect(new Set(ids).size).toBe(1_001);
});
