import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aTransactionPooler } from '../../test/ground/a-transaction-pooler.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue, finish } from '../../test/ground/stages.ts';
import { PREPARED } from '../functions/prepared-call.ts';
import type { Store } from '../index.ts';
import { preparingClient, type PreparingClient } from './client-for.ts';

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
    'lock_requests',
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

/** A client that prepares, outside of any store. */
async function aPreparingClient() {
  const client = new (preparingClient(pg.Client))({ connectionString }) as pg.Client & PreparingClient;
  await client.connect();
  onTestFinished(() => client.end());
  client.preparesCalls = true;
  const run = (text: string, values: readonly unknown[]) =>
    new Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>>((resolve, reject) => {
      const answered = (err: unknown, result: pg.QueryResult) => (err ? reject(err) : resolve(result));
      client.query(`${text} ${PREPARED}`, values as unknown[], answered as () => void);
    });
  return { run };
}

// Without it a caller would have to know which of its statements are prepared.
test('the values of a prepared call are read as those of any query', async () => {
  const { run } = await aPreparingClient();
  const text = `select n, null as nothing, array['a', null] as texts, $1::bytea as bytes, 'epoch'::timestamptz as at
    from generate_series(1, $2::int) as n`;
  const row = { nothing: null, texts: ['a', null], bytes: Buffer.from([1, 255]), at: new Date(0) };
  for (const count of [2, 0, 1]) {
    const rows = Array.from({ length: count }, (_, index) => ({ n: index + 1, ...row }));
    expect(await run(text, [row.bytes, count])).toMatchObject({ command: 'SELECT', rowCount: count, rows });
  }
});

// Without it a call that failed at first would be parsed anew under a name that is taken.
test('a prepared call that failed runs the next time', async () => {
  const { run } = await aPreparingClient();
  await expect(run('select 1 / $1::int as share', ['none'])).rejects.toMatchObject({ code: '22P02' });
  await expect(run('select 1 / $1::int as share', [0])).rejects.toMatchObject({ code: '22012' });
  expect((await run('select 1 / $1::int as share', [1])).rows).toEqual([{ share: 1 }]);
});

// Without it the error would leave the socket's listener, and end the process.
test('an answer that cannot be read fails only its call', async () => {
  const { run } = await aPreparingClient();
  const parse = pg.types.getTypeParser(pg.types.builtins.INT8);
  onTestFinished(() => pg.types.setTypeParser(pg.types.builtins.INT8, parse));
  pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
    if (text === '0') throw new Error('Not readable.');
    return text;
  });
  await expect(run('select $1::int8 as value', [0])).rejects.toThrow('Not readable.');
  expect((await run('select $1::int8 as value', [1])).rows).toEqual([{ value: '1' }]);
});
