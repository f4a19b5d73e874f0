import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { eraseDue, getAccountRetention, measureErasure } from '../src/index.ts';
import { issuedIdAt } from '../src/issued-id.ts';
import type { Tables } from '../src/tables.ts';
import { DAY_MS } from './ground/an-aged-request.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, claimFor, finish } from './ground/stages.ts';

const stores = await openTestStores();
const { store, sql, connectionString } = stores;

/** The plans of all statements that an operation sends. Without sequential scans where there is any other way. */
async function plansOf(operation: (watched: typeof store) => Promise<unknown>): Promise<string[]> {
  const pool = new pg.Pool({ connectionString, max: 4 });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await operation({ ...store, db });
  const client = await pool.connect();
  await client.query('set enable_seqscan = off');
  const plans: string[] = [];
  for (const { sql: text, parameters } of sent.filter((one) =>
    /^\s*(select|with|update|delete)/.test(one.sql),
  )) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [
      ...parameters,
    ]);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  client.release();
  return plans;
}

// Without it each batch would read every request, or every message, that was ever stored.
test('1,000 requests of one account among 20,000 are counted, found and erased by indexes', async () => {
  const [owner, other] = [await anAccount(store), await anAccount(store)];
  const { request_id: model } = await aFinishedRequest(store, owner);
  await finish(store, await claimFor(store, model));
  const time = issuedIdAt('req', Date.now() - 40 * DAY_MS).slice(4, 14);
  const id = (kind: string) => `'${kind}_${time}' || lpad(n::text, 16, '0')`;
  const accountId = `case when n <= 1000 then $2 else $3 end`;
  const values = [model, owner.accountId, other.accountId];
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version, received_at, member_index)
     select ${id('req')}, ${accountId}, payer_id, payer_name, input, outcome, delivery, version,
       now() - interval '40 days', n from request, generate_series(1, 20000) n where id = $1`,
    values,
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, generate_series(1, 20000) n where request_id = $1`,
    [model],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, status, done_at)
     select ${id('msg')}, ${id('req')}, version, ${accountId}, destination, destination_host, status,
       now() - interval '40 days' from delivery, generate_series(1, 20000) n where request_id = $1`,
    values,
  );
  await sql('analyze');
  await sql('update account set retention_days = 30 where id = $1', [owner.accountId]);
  const asking = { caller: aPlatformCaller(), accountId: owner.accountId };
  const counted = await getAccountRetention(store, asking);
  expect(counted).toMatchObject({ retention: { would_erase: 1_000, more: false } });
  const plans = await plansOf(async (watched) => {
    await getAccountRetention(watched, asking);
    await measureErasure(watched);
    expect(await eraseDue(watched, { limit: 200 })).toMatchObject({ kind: 'erased', count: 200 });
  });
  expect(plans.length).toBeGreaterThan(12);
  expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([]);
  expect(plans.join('\n')).toMatch(/using request_\d{4}_\d\d_listed/);
  for (let count = 0; count < 4; count += 1) await eraseDue(store, { limit: 200 });
  const [left] = await sql<{ count: number }>(
    'select count(*)::int as count from request where erased_at is not null',
  );
  expect(left?.count).toBe(1_000);
  expect(await eraseDue(store, { limit: 200 })).toEqual({ kind: 'done' });
});
