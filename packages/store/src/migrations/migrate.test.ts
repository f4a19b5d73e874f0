import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { dumpSchema } from '../../test/ground/dump-schema.ts';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { timeoutsOf } from '../../test/ground/timeouts-of.ts';
import { LOCKS } from '../locks.ts';
import { withClient } from '../testing/create-test-database.ts';
import { OtherSchemaError } from './create-schema.ts';
import { databaseFunctions } from './database-functions.ts';
import { assertServerVersion, migrate, SCHEMA_NAME } from './migrate.ts';

/** Everything that a first run makes. */
const names = [SCHEMA_NAME, ...databaseFunctions.map(({ name }) => name)];

/** A migrated database, and its queries, for one test. */
async function aDatabase() {
  const connectionString = await anEmptyDatabase();
  await migrate({ connectionString });
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

// Without it a first start that was cut off would leave tables that no later start completes.
test('a new database whose migration fails is left empty', async () => {
  const connectionString = await anEmptyDatabase();
  const inDatabase = (text: string) => withClient(connectionString, (client) => client.query(text));
  await inDatabase('create table request (id integer)');
  await expect(migrate({ connectionString })).rejects.toThrow('already exists');
  await inDatabase('drop table request');
  const { rows } = await inDatabase(`select relname from pg_class where relnamespace = 'public'::regnamespace
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace`);
  expect(rows).toEqual([]);
  expect(await migrate({ connectionString })).toEqual(names);
});

// Without it a release could not be taken back once a later one has dropped an unused function.
test('a function that was dropped is created again', async () => {
  const { connectionString, sql } = await aDatabase();
  const dropped = databaseFunctions[0]?.name ?? '';
  await sql(`drop function ${dropped}`);
  expect(await migrate({ connectionString })).toEqual([dropped]);
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
    const migrated = migrate({ connectionString });
    const waitingMs = async () => {
      const { rows: waits } = await client.query<{ ms: number }>(
        `select extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms from pg_stat_activity
         where datname = current_database() and wait_event = 'advisory'`,
      );
      return waits[0]?.ms ?? 0;
    };
    await expect.poll(waitingMs, { timeout: 20_000 }).toBeGreaterThan(300);
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
