import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Tables } from '../src/tables.ts';
import { openTestStores, type TestStores } from './open-test-stores.ts';
import { anAccount, intake } from './stages.ts';
import { claim } from './work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const caller = await anAccount(store);

/** Thousands of waiting requests copied from one. Their sealed values do not open: they are bound to its row. */
const bulk = ({ sql: run }: TestStores, requestId: string, count: number) =>
  run(
    `insert into request (id, account_id, payer_id, payer_name, input)
     select 'req_' || lpad(n::text, 26, '0'), account_id, payer_id, payer_name, input
     from request, generate_series(1, $2::int) n where id = $1`,
    [requestId, count],
  );

/** The pages that a claim of one reads, and its access path to the requests. */
async function planOfClaim(): Promise<{ pageCount: number; text: string }> {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await claim({ ...store, db });
  const statement = sent.find((query) => query.sql.includes('recursive'));
  const lines = await sql<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off) ${statement?.sql}`,
    statement?.parameters,
  );
  const text = lines.map((line) => line['QUERY PLAN']).join('\n');
  const total = /^ *Buffers: shared hit=(\d+)(?: read=(\d+))?/m.exec(text);
  return { pageCount: Number(total?.[1] ?? 0) + Number(total?.[2] ?? 0), text };
}

// Without it (point 9) a claim would read the backlog, and get slower with every waiting request.
test('a claim reads as much with fifty thousand requests waiting as with one', async () => {
  await intake(store, caller);
  const { request_id: other } = await intake(store, caller);
  await sql('analyze');
  const few = await planOfClaim();
  await bulk(stores, other, 50_000);
  await sql('analyze');
  const many = await planOfClaim();
  expect(many.pageCount).toBeGreaterThan(0);
  expect(many.pageCount).toBeLessThan(few.pageCount + 600);
  expect(many.text).toContain('request_work');
  expect(many.text).not.toContain('Seq Scan on request');
});
