import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Migration } from 'kysely/migration';
import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { dumpSchema } from '../../test/ground/dump-schema.ts';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { timeoutsOf } from '../../test/ground/timeouts-of.ts';
import { withClient } from '../testing/create-test-database.ts';
import { applyAll } from './apply-next.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';
import { assertServerVersion, migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { isOnline, type OnlineMigration } from './online/online-migration.ts';

vi.setConfig({ testTimeout: 30_000 }); // a build beside the table's use waits for each transaction before it

/** Everything a first run creates. */
const names = [...Object.keys(migrations), ...databaseFunctions.map(({ name }) => name)];
const MIGRATION_LOCK = '7598247083124680306';

/** The SQL a migration runs, hashed: comments and formatting may change, the statements may not. */
async function hashOf(migration: Migration | OnlineMigration): Promise<string> {
  const hash = createHash('sha256');
  if (isOnline(migration)) {
    const query = async (text: string) => {
      hash.update(`${text}\n`);
      return { rows: text.startsWith('select max(id)') ? [{ end: 'z' }] : [] };
    };
    const client = { query } as unknown as pg.ClientBase;
    for (const step of migration.steps) await step({ client, isConcurrent: true });
    return hash.digest('hex');
  }
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void hash.update(`${query.sql}\n`),
  });
  await migration.up(db);
  return hash.digest('hex');
}

// Without it a table could lose a check or an index, and no review would notice.
test('the schema is the golden one', async () => {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
  await expect(await withClient(connectionString, dumpSchema)).toMatchFileSnapshot(
    '../../test/golden/schema.txt',
  );
});

// A new database takes all in one transaction. Without this the databases in use could come to another schema.
test('a database of the first version comes to the golden schema, too', async () => {
  const connectionString = await anEmptyDatabase();
  const first = Object.fromEntries(Object.entries(migrations).slice(0, 1));
  await inMigrationTransaction(connectionString, (trx, client) => applyAll(trx, client, first));
  expect(await migrate({ connectionString })).toEqual(names.slice(1));
  await expect(await withClient(connectionString, dumpSchema)).toMatchFileSnapshot(
    '../../test/golden/schema.txt',
  );
});

test('a new database whose last migration fails is left empty', async () => {
  const connectionString = await anEmptyDatabase();
  const broken: Migration = { up: () => Promise.reject(new Error('It cannot be done.')) };
  const known = { ...migrations, '9999-broken': broken };
  await expect(migrate({ connectionString, known })).rejects.toThrow('It cannot be done.');
  const { rows } = await withClient(connectionString, (client) =>
    client.query("select relname from pg_class where relnamespace = 'public'::regnamespace"),
  );
  expect(rows).toEqual([]);
});

// Without it a released migration could be edited, which databases that ran it would never see. Add a new one instead.
test('no migration has changed', async () => {
  const lines = await Promise.all(
    Object.entries(migrations).map(async ([name, migration]) => `${name} ${await hashOf(migration)}\n`),
  );
  await expect(lines.join('')).toMatchFileSnapshot('../../test/golden/migrations.txt');
});

// Without it every start after the first would fail.
test('a second run finds nothing to do', async () => {
  const connectionString = await anEmptyDatabase();
  expect(await migrate({ connectionString })).toEqual(names);
  expect(await migrate({ connectionString })).toEqual([]);
});

// Without it a bad release could be rolled back only to a backup, losing all later data.
test('a database of a later version is told and left as it is', async () => {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
  const add = (name: string) =>
    withClient(connectionString, (client) =>
      client.query(`insert into kysely_migration values ($1, now()::text)`, [name]),
    );
  await add('9998-later');
  await add('9999-latest');
  const told: (readonly string[])[] = [];
  const onLaterVersion = (later: readonly string[]) => told.push(later);
  expect(await migrate({ connectionString, onLaterVersion })).toEqual([]);
  expect(told).toEqual([['9998-later', '9999-latest']]);
});

// Without it a release could not be rolled back once a later one has dropped an unused function.
test('a function that a later version has dropped is created again', async () => {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
  const dropped = databaseFunctions[0]?.name ?? '';
  await withClient(connectionString, async (client) => {
    await client.query(`insert into kysely_migration values ('9999-latest', now()::text)`);
    await client.query(`drop function if exists ${dropped}`);
  });
  expect(await migrate({ connectionString })).toEqual([dropped]);
});

// Without it a database migrated by another program would be served, and its rows misread.
test('a database whose migrations are others is refused', async () => {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
  await withClient(connectionString, (client) =>
    client.query(`update kysely_migration set name = '0001-others' where name = $1`, [names[0]]),
  );
  await expect(migrate({ connectionString })).rejects.toThrow('corrupted migrations');
});

// Without it a deployment that starts several processes at once would lose all but one of them.
test('of ten runs at once one applies each migration, and all end well', async () => {
  const connectionString = await anEmptyDatabase();
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate({ connectionString })));
  expect(runs.flat().toSorted()).toEqual(names.toSorted());
});

// Without it no statement would ever be cut: PgBouncer drops time-outs given at connect.
test('new sessions have the time-outs', async () => {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
  expect(await timeoutsOf(connectionString)).toEqual(['15s', '1200ms', '15s']);
});

// Without it the second of two long migrations would be cut by the time-outs that the first one set.
test('the time-outs of the role do not cut a migration that waits for another', async () => {
  const connectionString = await anEmptyDatabase();
  await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    for (const setting of ['statement_timeout', 'lock_timeout']) {
      await client.query(`alter role current_user in database ${rows[0]?.name} set ${setting} = '100ms'`);
    }
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrated = migrate({ connectionString });
    const asking = new Set<number>();
    await expect
      .poll(
        async () => {
          const { rows: sessions } = await client.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
            [rows[0]?.name],
          );
          for (const { pid } of sessions) asking.add(pid);
          return asking.size;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(3);
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect(await migrated).toEqual(names);
  });
});

// Without it the first migration would fail halfway on an old server, with a syntax error.
test('a server older than 15 is refused by its version', () => {
  expect(() => assertServerVersion(140_013)).toThrow('PostgreSQL 15 or newer is needed; this server is 14.');
  expect(() => assertServerVersion(0)).toThrow('15 or newer');
  expect(() => assertServerVersion(150_000)).not.toThrow();
  expect(() => assertServerVersion(180_004)).not.toThrow();
});
