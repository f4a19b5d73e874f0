import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '@insurance-verification/embedded-postgres';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../src/migrations/migrate.ts';
import { startEmbeddedServer } from '../src/schema/embedded-server.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { createTestDatabase } from '../src/testing/index.ts';
import { CONSTRAINED_ROWS } from './ground/constrained-rows.ts';
import { dropDatabase } from './ground/drop-database.ts';
import { dumpSchema } from './ground/dump-schema.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The database of a service that has just started for the first time. */
let freshStart: string;
let server: EmbeddedServer;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ivs-fresh-'));
  server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  freshStart = server.connectionString;
  await migrate({ connectionString: freshStart });
});
afterAll(() => server.stop());

/** Runs work on a fresh start, and leaves nothing of it. */
const tried = <T>(work: (client: pg.Client) => Promise<T>) =>
  withClient(freshStart, async (client) => {
    await client.query('begin');
    await client.query('set constraints all immediate');
    return work(client); // the end of the session rolls back
  });

function insert(client: pg.Client, table: string, row: object): Promise<unknown> {
  const names = Object.keys(row);
  return client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

// Broke: the tests' databases had sixteen checks that production had not, so what they proved was proven elsewhere.
test('a fresh start has the schema of the tests’ databases, letter by letter', async () => {
  const { connectionString } = await createTestDatabase();
  onTestFinished(() => dropDatabase(connectionString));
  const tested = await withClient(connectionString, dumpSchema);
  expect(await withClient(freshStart, dumpSchema)).toBe(tested);
});

// Broke: it was stored, and no code could read it.
test('a fresh start refuses a request without an account, in no state there is', async () => {
  const row = {
    id: 'req_0000000000000000000000zzzz',
    account_id: 'acct_of_nobody',
    payer_id: 'p',
    payer_name: 'p',
    input: Buffer.from([0]),
    member_index: 0,
    outcome: 'banana',
    delivery: 'lost',
    version: -3,
    channel: 'pigeon',
  };
  await expect(tried((client) => insert(client, 'request', row))).rejects.toMatchObject({ code: '23514' });
});

// Without it a fault in a function, a restore or somebody's repair would leave rows that no code of the service can read.
test('a fresh start refuses each row that is wrong, by the constraint that says why, and takes the right one', async () => {
  await tried(async (client) => {
    await client.query('delete from delivery_shard where shard = 0'); // one of its 256 rows is put in again
    for (const { table, row, refused } of CONSTRAINED_ROWS) {
      for (const [wrong, constraint] of refused) {
        await client.query('savepoint before');
        await expect(insert(client, table, { ...row, ...wrong }), constraint).rejects.toMatchObject({
          code: constraint.endsWith('_fkey') ? '23503' : '23514',
          constraint,
        });
        await client.query('rollback to before');
      }
      if (row) await insert(client, table, row);
    }
  });
});

// Without it a constraint that is added later would be one that no row proves.
test('every check and every foreign key is proven by a row', async () => {
  const { rows } = await withClient(freshStart, (client) =>
    client.query<{ name: string }>(
      `select conname as name from pg_constraint
       where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conparentid = 0`,
    ),
  );
  const proven = new Set(
    CONSTRAINED_ROWS.flatMap(({ refused }) => refused.map(([, constraint]) => constraint)),
  );
  expect([...proven].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
