import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTransactionPooler } from '../../../test/ground/a-transaction-pooler.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue, finish } from '../../../test/ground/stages.ts';
import type { Store } from '../../index.ts';

const { store, connectionString, open } = await openTestStores({ connectionCountMax: 1 });
const caller = await anAccount(store);

/** The functions whose calls the connection of a store keeps, each as often as it is kept. */
async function preparedIn({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => /(\w+)_[0-9a-f]{8}\(/.exec(statement)?.[1] ?? statement).toSorted();
}

async function deliver(to: Store): Promise<void> {
  await aFinishedRequest(to, caller);
  for (const claimed of await claimDue(to)) await finish(to, claimed);
}

// Without it PostgreSQL parses and plans each call anew: 8 % of what an intake takes.
test('a connection prepares what intake, results and delivery call, once', async () => {
  await deliver(store);
  await deliver(store);
  expect(await preparedIn(store)).toEqual([
    'apply_findings',
    'claim_deliveries',
    'finish_attempts',
    'insert_requests',
  ]);
});

// Without it the next call, in another backend of the pooler, fails: it knows no such statement, or one of that name.
test('through a pooler nothing is prepared', async () => {
  const pooler = await aTransactionPooler(connectionString, { backendCount: 2 });
  const pooled = await open({ connectionString: pooler.connectionString, connectionCountMax: 6 });
  await Promise.all(Array.from({ length: 6 }, () => deliver(pooled)));
  const looks = await Promise.all(Array.from({ length: 6 }, () => preparedIn(pooled)));
  expect(looks.flat()).toEqual([]);
});
