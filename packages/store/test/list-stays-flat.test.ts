import { RequestState } from '@insurance-verification/schema';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Caller, listRequests } from '../src/index.ts';
import type { Tables } from '../src/tables.ts';
import { openTestStores } from './open-test-stores.ts';
import { anAccount, intake } from './stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const { store, sql, connectionString } = await openTestStores();

/** The pages that a list of ten reads. */
async function pagesOfList(caller: Caller, state: RequestState | undefined): Promise<number> {
  const pool = new pg.Pool({ connectionString });
  onTestFinished(() => pool.end());
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  await listRequests({ ...store, db }, { caller, limit: 10, state });
  const lines = await sql<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off) ${sent[0]?.sql}`,
    sent[0]?.parameters,
  );
  const text = lines.map((line) => line['QUERY PLAN']).join('\n');
  const [, hit = 0, read = 0] = /^ *Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/m.exec(text) ?? [];
  return Number(hit) + Number(read);
}

// Broke: the planner read everybody's newest requests, or all of an account's, until it had found enough matches.
test('a list reads its page alone, of a large account and of a small one, in every state', async () => {
  const [large, small] = [await anAccount(store), await anAccount(store)];
  await intake(store, large); // pending, after all finished ones
  for (let made = 0; made < 10; made += 1) await intake(store, small);
  const { request_id: model } = await intake(store, large);
  for (const [name, caller, count] of [
    ['l', large, 9_000],
    ['o', await anAccount(store), 21_000],
  ] as const)
    await sql(
      `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version)
       select 'req_7' || $4 || lpad(n::text, 24, '0'), $2, payer_id, payer_name, input, 'complete', 'delivered', 1
       from request, generate_series(1, $3::int) n where id = $1`,
      [model, caller.accountId, count, name],
    );
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('analyze');
    for (const caller of [large, small])
      for (const state of [undefined, ...RequestState.options])
        expect(await pagesOfList(caller, state), state).toSatisfy((count) => count > 0 && count < 150);
  }
});
