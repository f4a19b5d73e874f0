import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, test } from 'vitest';
import { dumpSchema } from '../../test/ground/dump-schema.ts';
import { anEmptyDatabase } from '../../test/ground/empty-database.ts';
import { withClient } from '../testing/create-test-database.ts';
import { CALLED_BY_NOBODY, UNRELEASED } from './adopt-unreleased.ts';
import { databaseFunctions } from './database-functions.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { schema } from './numbered/0001-schema.ts';

/**
 * A database as the old migrations left it: the tables of `0001-schema`, the old migration names, and the old
 * functions.
 */
async function anUnreleasedDatabase(migrationNames: readonly string[]): Promise<string> {
  const connectionString = await anEmptyDatabase();
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
  });
  const provider = { getMigrations: async () => ({ '0001-schema': schema }) };
  await new Migrator({ db, provider }).migrateToLatest();
  await db.destroy();
  await withClient(connectionString, async (client) => {
    await client.query(`delete from kysely_migration`);
    await client.query(
      `insert into kysely_migration (name, timestamp) select unnest($1::text[]), '2026-11-20T10:00:00.000Z'`,
      [migrationNames],
    );
    for (const name of CALLED_BY_NOBODY)
      await client.query(`create function ${name}(request_id text) returns int return 1`);
    await client.query(
      `insert into account (id, name, kind, mode, webhook_secret) values ('acct_1', '"x"', 'platform', 'live', '')`,
    );
  });
  return connectionString;
}

const RECORDED = `select name from kysely_migration order by name`;

// Breaks if a developer's data folder from before the first release no longer starts, or starts empty.
test('a database of the eleven migrations before the first release is carried on, with what it holds', async () => {
  const connectionString = await anUnreleasedDatabase(UNRELEASED);
  const [, ...later] = Object.keys(migrations);
  expect(await migrate({ connectionString })).toEqual([
    ...later,
    ...databaseFunctions.map(({ name }) => name),
  ]);
  expect(await migrate({ connectionString })).toEqual([]);
  await withClient(connectionString, async (client) => {
    await expect(await dumpSchema(client)).toMatchFileSnapshot('../../test/golden/schema.txt');
    expect((await client.query(RECORDED)).rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
    expect((await client.query('select id from account')).rows).toEqual([{ id: 'acct_1' }]);
  });
});

// Without it a start would fail with Kysely's "corrupted migrations", which offers no remedy.
test('one that stopped on the way is refused with what to do, and left as it is', async () => {
  const connectionString = await anUnreleasedDatabase(UNRELEASED.slice(0, 9));
  await expect(migrate({ connectionString })).rejects.toThrow(
    'This database is from before the first release, and its last migration is 0009-held-shares. Only one that has ' +
      '0011-rate-budgets can be taken over. Use an empty database; for the embedded server, remove its data folder.',
  );
  await withClient(connectionString, async (client) => {
    expect((await client.query(RECORDED)).rows).toHaveLength(9);
  });
});
