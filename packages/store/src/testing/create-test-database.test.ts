import { expect, inject, test } from 'vitest';
import { createTestDatabase, withClient } from './create-test-database.ts';

const databaseExists = (connectionString: string) =>
  withClient(inject('testServer').adminConnectionString, async (client) => {
    const name = new URL(connectionString).pathname.slice(1);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    return rowCount === 1;
  });

// Without it every test file would have to migrate for itself.
test('a test database is migrated', async () => {
  const database = await createTestDatabase();
  const { rows } = await withClient(database.connectionString, (client) =>
    client.query<{ tables: number }>(
      `select count(*)::int as tables from pg_tables where schemaname = 'public'`,
    ),
  );
  expect(rows[0]?.tables).toBeGreaterThan(1);
  await database.drop();
});

// Without it one test file's rows would disturb another.
test('thirty databases made at once are distinct', async () => {
  const databases = await Promise.all(Array.from({ length: 30 }, () => createTestDatabase()));
  expect(new Set(databases.map((database) => database.connectionString)).size).toBe(30);
  await Promise.all(databases.map((database) => database.drop()));
});

// Without it the time-outs that a migration gives to the role would be untested.
test('a clone has the role settings of the migrated database', async () => {
  const database = await createTestDatabase();
  const { rows } = await withClient(database.connectionString, (client) =>
    client.query<{ value: string }>(`select current_setting('statement_timeout') as value`),
  );
  expect(rows[0]?.value).not.toBe('0');
  await database.drop();
});

// Without it a test that leaves a connection open could not clean up.
test('drop removes a database in use', async () => {
  const database = await createTestDatabase();
  await withClient(database.connectionString, async (client) => {
    await client.query('select 1');
    await database.drop();
    expect(await databaseExists(database.connectionString)).toBe(false);
  });
});
