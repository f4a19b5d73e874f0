import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { aRequest } from '@insurance-verification/testing/a-request';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dropDatabase } from '../../../test/ground/drop-database.ts';
import { dumpSchema } from '../../../test/ground/dump-schema.ts';
import { openTestStores, type TestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, PAYER_ID } from '../../../test/ground/stages.ts';
import { underLoad } from '../../../test/ground/under-load.ts';
import { insertRequests, type Store } from '../../index.ts';
import { createTestDatabase, withClient } from '../../testing/create-test-database.ts';
import { migrate } from '../migrate.ts';
import type { Migrations } from '../migrations.ts';
import { exampleMigrations } from './example-migration.fixture.ts';
import { createIndex } from './online-migration.ts';

vi.setConfig({ testTimeout: 180_000 });
const stores = await openTestStores();

const [COLUMN = '', FILLED = ''] = Object.keys(exampleMigrations);
const INDEX_DEFINITION = 'CREATE INDEX request_payer_search ON public.request USING btree (payer_search)';

type UsedDatabase = Pick<TestStores, 'connectionString' | 'sql' | 'open'>;

/** A database of 1.0.0 with so many requests, all of them finished, dropped after the test. */
async function aUsedDatabase(rowCount: number): Promise<UsedDatabase> {
  const { connectionString } = await createTestDatabase();
  onTestFinished(() => dropDatabase(connectionString));
  const direct = new pg.Pool({ connectionString, max: 2 });
  onTestFinished(() => direct.end());
  const sql: TestStores['sql'] = async (text, values = []) => (await direct.query(text, [...values])).rows;
  const open = async () => {
    const store = await stores.open({ connectionString });
    onTestFinished(() => store.close());
    return store;
  };
  await sql(
    `insert into account (id, name, kind, mode, webhook_secret) values ('acct_1', '"x"', 'provider', 'live', '')`,
  );
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index, version, outcome, channel, delivery)
     select 'req_' || lpad(n::text, 26, '0'), 'acct_1', 'plan-' || n % 4, 'Plan', '', 0, 1, 'complete', 'api', 'delivered'
     from generate_series(1, $1::int) n`,
    [rowCount],
  );
  await sql('analyze request'); // autovacuum is off in tests
  return { connectionString, sql, open };
}

/** Creates requests as the service does, as impatient as its callers. */
const creates = (database: UsedDatabase) =>
  underLoad(database, '1s', async (impatient: Store) => {
    const caller = await anAccount(impatient);
    return async () => {
      const [inserted] = await insertRequests(impatient, [
        { caller, payerId: PAYER_ID, input: aRequest(), idempotencyKey: null },
      ]);
      expect(inserted).toMatchObject({ kind: 'created' });
    };
  });

/** Another process that migrates, to be killed. */
function aMigrator(connectionString: string) {
  const program = fileURLToPath(new URL('../migrate.fixture.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=@insurance-verification/source', program, connectionString],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

const filledCount = async ({ sql }: UsedDatabase) => {
  const [column] = await sql(
    `select from pg_attribute where attrelid = 'request'::regclass and attname = 'payer_search'`,
  );
  if (!column) return 0;
  const [row] = await sql<{ count: number }>(
    `select count(*)::int as count from request where payer_search = 'plan'`,
  );
  return row?.count ?? 0;
};

// Broke: an index was built inside the migrations' transaction, and no create was taken for as long as that took.
test('no create waits a second for a lock while a filled database is migrated, a kill in the middle too', async () => {
  const rowCount = 60_000;
  const database = await aUsedDatabase(rowCount);
  const { connectionString, sql } = database;
  const load = creates(database);
  await expect.poll(load.count).toBeGreaterThan(10);
  const migrator = aMigrator(connectionString);
  await expect.poll(() => filledCount(database), { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  await migrator.kill();
  const leftOff = await filledCount(database);
  expect(leftOff).toBeLessThan(rowCount);
  const first = () => sql(`select ctid, xmin from request order by id limit 1`);
  const moved = await first();
  const createdBefore = load.count();
  const online: string[] = [];
  const done = await migrate({
    connectionString,
    known: exampleMigrations,
    onOnline: (name) => online.push(name),
  });
  expect(done).toEqual([FILLED]); // the column was there
  expect(new Set(online)).toEqual(new Set([FILLED]));
  expect(load.count()).toBeGreaterThan(createdBefore);
  await load.stop();
  expect(await first()).toEqual(moved); // it went on, and did nothing again
  const rows = await sql<{ is_new: boolean; is_right: boolean; count: number }>(
    `select payer_search = 'new' as is_new, payer_search in ('new', lower(payer_name)) as is_right, count(*)::int
     from request group by 1, 2 order by 1`,
  );
  expect(rows).toMatchObject([
    { is_new: false, is_right: true },
    { is_new: true, is_right: true },
  ]);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(rowCount + load.count());
  expect(await sql(`select pg_get_indexdef('request_payer_search'::regclass) as text`)).toEqual([
    { text: INDEX_DEFINITION },
  ]);
  expect(await sql('select from pg_index where not indisvalid')).toEqual([]);
  expect(await migrate({ connectionString, known: exampleMigrations })).toEqual([]);
});

// Without it a build that was interrupted would leave an index that slows every write and serves no read, for good.
test('an index whose build broke off is built again, one that is whole is left', async () => {
  const { connectionString, sql } = await aUsedDatabase(100);
  const broken = sql('create unique index concurrently request_payer_search on request (payer_id)');
  await expect(broken).rejects.toThrow('could not create unique index');
  expect(await sql('select from pg_index where not indisvalid')).toHaveLength(1);
  await migrate({ connectionString, known: exampleMigrations });
  const index = () =>
    sql(
      `select indexrelid, indisvalid, pg_get_indexdef(indexrelid) as text from pg_index
       where indexrelid = 'request_payer_search'::regclass`,
    );
  const built = await index();
  expect(built).toMatchObject([{ indisvalid: true, text: INDEX_DEFINITION }]);
  const again = createIndex('request_payer_search', 'request (payer_search)');
  await withClient(connectionString, (client) => again({ client, isConcurrent: true }));
  expect(await index()).toEqual(built);
});

// Without it a backup under way would make the migration wait for its table, and every create behind the migration.
test('a migration that cannot have a table at once lets the creates pass, and comes again', async () => {
  const database = await aUsedDatabase(100);
  const { connectionString, sql } = database;
  const reader = new pg.Client({ connectionString });
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query('begin');
  await reader.query('select from request limit 1'); // as pg_dump holds it
  const load = creates(database);
  await expect.poll(load.count).toBeGreaterThan(0);
  const migrated = migrate({ connectionString, known: exampleMigrations });
  const waiters = new Set<number>();
  await expect
    .poll(
      async () => {
        const rows = await sql<{ pid: number }>(
          `select pid from pg_locks where not granted and relation = 'request'::regclass and mode like 'AccessExc%'`,
        );
        for (const { pid } of rows) waiters.add(pid);
        return waiters.size;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBeGreaterThan(1);
  await reader.query('commit');
  expect(await migrated).toEqual([COLUMN, FILLED]);
  await load.stop();
});

// Without it a release whose last step fails could be neither served nor rolled back.
test('of migrations that go together none is left when one fails; an online one before them is', async () => {
  const { connectionString } = await aUsedDatabase(0);
  const schema = () => withClient(connectionString, dumpSchema);
  const broken = { up: () => Promise.reject(new Error('It cannot be done.')) };
  const before = await schema();
  const known: Migrations = { [COLUMN]: exampleMigrations[COLUMN] ?? broken, '0002-broken': broken };
  await expect(migrate({ connectionString, known })).rejects.toThrow('It cannot be done.');
  expect(await schema()).toBe(before);
  const later = { ...exampleMigrations, '0003-broken': broken };
  await expect(migrate({ connectionString, known: later })).rejects.toThrow('It cannot be done.');
  expect(await schema()).not.toBe(before);
  expect(await migrate({ connectionString, known: exampleMigrations })).toEqual([]);
});
