import pg from 'pg';
import { expect, inject } from 'vitest';
import { dropDatabase } from './drop-database.ts';
import { onDatabase, type TestServer } from './test-server.ts';

/** An empty, migrated database for one test file or one test. */
export interface TestDatabase {
  connectionString: string;
  /** Removes the database and its connections. Optional: the end of the run removes everything. */
  drop(): Promise<void>;
}

const SOURCE_IS_BEING_ACCESSED = '55006';

/** What the test file that runs has created; its services end before the next file begins. */
const ofFile: { path: string | undefined; readonly names: string[] } = { path: undefined, names: [] };

/**
 * Clones the migrated template instead of migrating again: a database no other test sees. Needs `global-setup.ts` in
 * the vitest configuration.
 *
 * The first one of a test file removes those of the file before it, but none that was made on a given server.
 *
 * @param given only needed where `inject` does not work, such as in a benchmark, and for what outlives its test file
 */
export async function createTestDatabase(given?: TestServer): Promise<TestDatabase> {
  const { adminConnectionString, templateName } = given ?? inject('testServer');
  // Names are truncated at 63 bytes; a worker's process id and a time are unique within the run. A count would begin again
  // where a test loads this module a second time.
  const name = `${templateName.replace(/_template$/, '')}_${process.pid}_${process.hrtime.bigint().toString(36)}`;
  const before = given ? [] : leftByFileBefore();
  if (!given) ofFile.names.push(name);
  await withClient(adminConnectionString, async (client) => {
    for (const each of before) await dropDatabase(client, each);
    await cloneTemplate(client, { name, templateName });
    await copyRoleSettings(client, { name, templateName });
  });
  return {
    connectionString: onDatabase(adminConnectionString, name),
    drop: () => withClient(adminConnectionString, (client) => dropDatabase(client, name)),
  };
}

function leftByFileBefore(): string[] {
  const { testPath } = expect.getState();
  if (testPath === ofFile.path) return [];
  ofFile.path = testPath;
  return ofFile.names.splice(0);
}

/** Runs work on a short-lived connection. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 20_000 });
  client.on('error', () => {}); // the current query reports it
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Clones run in parallel, but the server refuses while a session (such as autovacuum) is still leaving the template.
 * Copying the files took 16–100 ms on a busy two-core machine, writing them through the log 67–240 ms.
 */
async function cloneTemplate(
  client: pg.Client,
  { name, templateName }: { name: string; templateName: string },
): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await client.query(
        `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(templateName)} strategy file_copy`,
      );
      return;
    } catch (err) {
      // The server itself waits five seconds before this error, so no pause is needed.
      const isBusy = err instanceof pg.DatabaseError && err.code === SOURCE_IS_BEING_ACCESSED;
      if (!isBusy || Date.now() > deadline) throw err;
    }
  }
}

/** Settings made with `alter role … in database …` belong to the database's identity, so a clone lacks them. */
async function copyRoleSettings(
  client: pg.Client,
  { name, templateName }: { name: string; templateName: string },
): Promise<void> {
  const { rows } = await client.query<{ setting: string }>(
    `select unnest(s.setconfig) as setting
       from pg_db_role_setting s
       join pg_database d on d.oid = s.setdatabase
       join pg_roles r on r.oid = s.setrole
      where d.datname = $1 and r.rolname = current_user`,
    [templateName],
  );
  for (const { setting } of rows) {
    const separator = setting.indexOf('=');
    const parameter = client.escapeIdentifier(setting.slice(0, separator));
    const value = client.escapeLiteral(setting.slice(separator + 1));
    await client.query(
      `alter role current_user in database ${client.escapeIdentifier(name)} set ${parameter} = ${value}`,
    );
  }
}
