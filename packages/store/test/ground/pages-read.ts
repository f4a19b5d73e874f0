import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/index.ts';
import type { Tables } from '../../src/tables/tables.ts';
import type { TestStores } from './open-test-stores.ts';

/** The pages that an operation's reading statements read, by `explain (analyze, buffers)`, and their plans. */
export async function pagesRead(
  { connectionString }: TestStores,
  store: Store,
  operation: (store: Store) => Promise<unknown>,
): Promise<{ readonly pageCount: number; readonly plans: string }> {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await operation({ ...store, db });
  const client = await pool.connect();
  let pageCount = 0;
  const plans: string[] = [];
  for (const statement of sent.filter((query) => /^\s*(select|with)/.test(query.sql))) {
    const explain = () =>
      client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, costs off) ${statement.sql}`, [
        ...statement.parameters,
      ]);
    await explain(); // the first one reads the catalog too, within a function
    // So may any other: databases that other tests create and drop empty the session's cache of the catalog.
    const [least] = [await explain(), await explain()]
      .map(({ rows: lines }) => lines.map((line) => line['QUERY PLAN']).join('\n'))
      .map((plan) => ({ plan, count: buffersOf(plan) }))
      .toSorted((one, other) => one.count - other.count);
    pageCount += least?.count ?? Number.NaN;
    plans.push(least?.plan ?? '');
  }
  client.release();
  return { pageCount, plans: plans.join('\n') };
}

function buffersOf(plan: string): number {
  const [, hit = 0, read = 0] = /^ *Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/m.exec(plan) ?? [];
  return Number(hit) + Number(read);
}
