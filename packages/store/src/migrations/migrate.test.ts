import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dumpSchema } from '../../test/ground/dump-schema.ts';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { timeoutsOf } from '../../test/ground/timeouts-of.ts';
import { LOCKS } from '../locks.ts';
import { withClient } from '../testing/create-test-database.ts';
import { OtherSchemaError } from './create-schema.ts';
import { databaseFunctions } from './database-functions.ts';
import { assertServerVersion, migrate, SCHEMA_NAME } from './migrate.ts';
import type { Migrations } from './migrations.ts';
import { exampleMigrations } from './online/example-migration.fixture.ts';

vi.setConfig({ testTimeout: 30_000 }); // a build beside the table's use waits for each transaction before it

/** Everything that a first run makes. */
const names = [SCHEMA_NAME, ...databaseFunctions.map(({ name }) => name)];

/** A migrated database, and its queries, for one test. */
async function aDatabase(known?: Migrations) {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString, ...(known && { known }) });
  const pool = new pg.Pool({ connectionString, max: 2 });
  onTestFinished(() => pool.end());
  return { connectionString, sql: async (text: string) => (await pool.query<pg.QueryResultRow>(text)).rows };
}

// Without it every start after the first would fail.
test('a first run makes the schema and the functions, a second one finds nothing to do', async () => {
  const connectionString = await anEmptyDatabase();
  expect(await migrate({ connectionString })).toEqual(names);
  const made = await withClient(connectionString, dumpSchema);
  expect(await migrate({ connectionString })).toEqual([]);
  expect(await withClient(connectionString, dumpSchema)).toBe(made);
});

// A new database takes all in one transaction. Without this the databases in use could come to another schema.
test('a new database and one of 1.0.0 come to the same schema by later migrations', async () => {
  const connectionString = await anEmptyDatabase();
  const all = await migrate({ connectionString, known: exampleMigrations });
  expect(all).toEqual([SCHEMA_NAME, ...Object.keys(exampleMigrations), ...names.slice(1)]);
  const used = await aDatabase();
  expect(await migrate({ ...used, known: exampleMigrations })).toEqual(Object.keys(exampleMigrations));
  const schemas = [connectionString, used.connectionString].map((one) => withClient(one, dumpSchema));
  const [fresh, migrated] = await Promise.all(schemas);
  expect(fresh).toContain('payer_search');
  expect(migrated).toBe(fresh);
});

test('a new database whose last migration fails is left empty', async () => {
  const connectionString = await anEmptyDatabase();
  const broken = { up: () => Promise.reject(new Error('It cannot be done.')) };
  const known = { ...exampleMigrations, '9999-broken': broken };
  await expect(migrate({ connectionString, known })).rejects.toThrow('It cannot be done.');
  const { rows } = await withClient(connectionString, (client) =>
    client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace
      union all select proname from pg_proc where pronamespace = 'public'::regnamespace`),
  );
  expect(rows).toEqual([]);
  expect(await migrate({ connectionString })).toEqual(names);
});

// Without it a bad release could be rolled back only to a backup, losing all later data.
test('a database of a later version is reported and left as it is', async () => {
  const { connectionString } = await aDatabase(exampleMigrations);
  const reported: (readonly string[])[] = [];
  const onLaterVersion = (later: readonly string[]) => reported.push(later);
  const before = await withClient(connectionString, dumpSchema);
  expect(await migrate({ connectionString, onLaterVersion })).toEqual([]);
  expect(reported).toEqual([Object.keys(exampleMigrations)]);
  expect(await withClient(connectionString, dumpSchema)).toBe(before);
});

// Without it a release could not be rolled back once a later one has dropped an unused function.
test('a function that a later version has dropped is created again', async () => {
  const { connectionString, sql } = await aDatabase(exampleMigrations);
  const dropped = databaseFunctions[0]?.name ?? '';
  await sql(`drop function ${dropped}`);
  expect(await migrate({ connectionString })).toEqual([dropped]);
});

// Without it a database migrated by another program would be served, and its rows misread.
test('a database whose migrations are others is refused', async () => {
  const { connectionString, sql } = await aDatabase(exampleMigrations);
  await sql(`update kysely_migration set name = '0001-others' where name = '0001-payer-search'`);
  await expect(migrate({ connectionString, known: exampleMigrations })).rejects.toThrow(
    'corrupted migrations',
  );
});

/** What is said of a database, and what makes it one: its tables are ours, and of another build. */
const OTHERS = [
  ['of another digest', 'build 1234abcd', `update schema_version set digest = 'd1', build = '1234abcd'`],
  ['without a mark', 'build 126fa09d', 'drop table schema_version'],
  ['whose mark has no row', 'build 126fa09d', 'delete from schema_version'],
  [
    'whose mark is another program’s',
    'build 126fa09d',
    'drop table schema_version; create table schema_version (version int); insert into schema_version values (7)',
  ],
] as const;

// Without it a build would read rows that it misunderstands, or make its functions and time-outs in another's database.
test.each(OTHERS)(
  'a database with tables %s is refused, and nothing in it is changed',
  async (_, said, make) => {
    const { connectionString, sql } = await aDatabase();
    const [missing] = databaseFunctions;
    await sql(make);
    await sql(`drop function ${missing?.name}`); // what a start would create
    await sql(
      `do $$ begin execute format('alter role current_user in database %I reset all', current_database()); end $$`,
    );
    const all = async () => [
      await withClient(connectionString, dumpSchema),
      await sql(`select relname, n_live_tup, n_dead_tup from pg_stat_user_tables order by 1`),
      await timeoutsOf(connectionString),
      await sql(`select to_jsonb(pg_sequences)::text as text from pg_sequences order by 1`),
    ];
    const before = await all();
    let isMigrated = false;
    const refused = migrate({ connectionString, onMigrated: () => (isMigrated = true) });
    await expect(refused).rejects.toBeInstanceOf(OtherSchemaError);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.toThrow(
      /^The database has the tables of another build: .*nothing was changed\.$/,
    );
    expect(await all()).toEqual(before);
    expect(isMigrated).toBe(false);
  },
);

// Without it nobody could keep the service's tables in a database that they have.
test('an empty database is one that has no tables of ours', async () => {
  const connectionString = await anEmptyDatabase();
  const invoices = (text: string) => withClient(connectionString, (client) => client.query(text));
  await invoices('create table invoice as select 7 as number');
  expect(await migrate({ connectionString })).toEqual(names);
  expect(await migrate({ connectionString })).toEqual([]);
  expect((await invoices('select number from invoice')).rows).toEqual([{ number: 7 }]);
});

// Without it a deployment that starts several processes at once would lose all but one of them.
test('of ten runs at once one makes each thing, and all end well', async () => {
  const connectionString = await anEmptyDatabase();
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate({ connectionString })));
  expect(runs.flat().toSorted()).toEqual(names.toSorted());
});

// Without it no statement would ever be cut: PgBouncer drops time-outs given at connect.
test('new sessions have the time-outs', async () => {
  const { connectionString } = await aDatabase();
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
    await client.query('select pg_advisory_lock($1)', [LOCKS.migration]);
    // Each try for the lock is a session of its own, gone within milliseconds: so they are counted, not looked for.
    const sessionCount = async () => {
      const { rows: counts } = await client.query<{ sessions: string }>(
        'select sessions from pg_stat_database where datname = current_database()',
      );
      return Number(counts[0]?.sessions);
    };
    const before = await sessionCount();
    const migrated = migrate({ connectionString });
    await expect.poll(sessionCount, { timeout: 20_000 }).toBeGreaterThan(before + 3);
    await client.query('select pg_advisory_unlock($1)', [LOCKS.migration]);
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
