import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Tables } from '../src/tables/tables.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { anAccount, intake } from './ground/stages.ts';
import { aRoute, claim } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 120_000 });
const { store, sql, connectionString } = await openTestStores();
const caller = await anAccount(store);

/**
 * Waiting requests copied from one, spread over four payers and a thousand accounts, of which the first has a third.
 * Their encrypted values cannot be decrypted: they are bound to its row.
 */
async function bulk(requestId: string, count: number): Promise<void> {
  await sql(
    `insert into account (id, name, kind, mode, webhook_secret)
     select 'acct_' || lpad(n::text, 26, '0'), name, kind, mode, webhook_secret
     from account, generate_series(0, 999) n where id = (select account_id from request where id = $1)`,
    [requestId],
  );
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index)
     select 'req_' || lpad(n::text, 26, '0'), 'acct_' || lpad((case when n % 3 = 0 then 0 else n % 1000 end)::text, 26, '0'),
       'plan-' || n % 4 + 1, payer_name, input, member_index
     from request, generate_series(1, $2::int) n where id = $1`,
    [requestId, count],
  );
  await sql(
    `insert into work_queue (request_id, account_id, pool, payer_id)
     select id, account_id, 'live', payer_id from request where id <> $1`,
    [requestId],
  );
}

/** The pages that a claim of one touches, triggers included, and how often it reads each table, and how. */
async function costOfClaim() {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  const routes = [1, 2, 3, 4].map((n) => aRoute(['agent_web_portal'], { payerId: `plan-${n}` }));
  // Each begins at an account by chance.
  for (let made = 0; made < 3; made += 1) await claim({ ...store, db }, { routes });
  const statements = sent.filter((query) => query.sql.includes('choose_work'));
  const session = await pool.connect();
  const countReads = async () => {
    const { rows } = await session.query<{ table: string; whole: number; byIndex: number }>(
      `select relname as table, seq_scan::int as whole, idx_scan::int as "byIndex" from pg_stat_xact_user_tables`,
    );
    return new Map(rows.map((row) => [row.table, row]));
  };
  const run = async (statement: (typeof statements)[number]) => {
    const before = await countReads();
    const { rows: lines } = await session.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off) ${statement.sql}`,
      [...statement.parameters],
    );
    const reads = [...(await countReads()).values()].map(({ table, whole, byIndex }) => ({
      table,
      whole: whole - (before.get(table)?.whole ?? 0),
      byIndex: byIndex - (before.get(table)?.byIndex ?? 0),
    }));
    const text = lines.map((line) => line['QUERY PLAN']).join('\n');
    return {
      pageCount: pagesIn(/^ *Buffers: shared hit=(\d+)(?: read=(\d+))?/m.exec(text)),
      chosenPageCount: pagesIn(
        /Function Scan on choose_work.*\n *Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(text),
      ),
      reads: reads.filter(({ whole, byIndex }) => whole + byIndex > 0),
    };
  };
  // The first one reads the catalog, and so may another: databases of other tests empty the session's cache of it.
  const costs = [];
  for (const statement of [...statements.slice(0, 1), ...statements]) costs.push(await run(statement));
  session.release();
  const [least] = costs.slice(1).toSorted((one, other) => one.pageCount - other.pageCount);
  if (!least) throw new Error('No claim was sent.');
  return least;
}

const pagesIn = (found: RegExpExecArray | null) => Number(found?.[1] ?? Number.NaN) + Number(found?.[2] ?? 0);

// Without it (point 9) a claim would read the backlog, and get slower with every waiting request and every account.
test('a claim is chosen from at most 120 pages with 110,000 requests of a thousand accounts waiting', async () => {
  const { request_id: model } = await intake(store, caller);
  await bulk(model, 110_000);
  // Of each account some are leased: these wait in a queue of their own until their leases lapse.
  await sql(
    `update work_queue set channel = 'agent_web_portal', lease = gen_random_uuid(), leased_at = now(),
       leased_until = now() + interval '1 hour'
     where request_id in (select request_id from work_queue order by hashtext(request_id) limit 4000)`,
  );
  await sql('insert into account_served (account_id) select distinct account_id from work_queue');
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('analyze');
    const { pageCount, chosenPageCount, reads } = await costOfClaim();
    expect(chosenPageCount).toBeLessThanOrEqual(120);
    expect(pageCount).toBeLessThanOrEqual(170);
    expect(reads.filter(({ whole }) => whole > 0)).toEqual([]);
    expect(reads.find(({ table }) => table === 'work_queue')?.byIndex).toBeLessThanOrEqual(30);
    // Broke: of every candidate it read the request and the account's newest attempt, which lie anywhere on the disk.
    const readsOf = (name: string) => reads.find(({ table }) => table === name);
    expect(readsOf('verification_attempt')).toMatchObject({ whole: 0, byIndex: 1 }); // its next number
    // The leased one's alone: its size, and its values.
    expect(readsOf('request')).toMatchObject({ whole: 0, byIndex: 2 });
  }
});
