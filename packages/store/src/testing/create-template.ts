import pg from 'pg';
import { migrate } from '../migrations/migrate.ts';
import { withClient } from './create-test-database.ts';
import { dropDatabase } from './drop-database.ts';
import { onDatabase, RUN_NAME_PATTERN } from './test-server.ts';

/** The template of a run, and the session that marks the run as alive. */
export interface Template {
  templateName: string;
  /** Drops every database of the run. */
  drop(): Promise<void>;
}

/**
 * Removes the leftovers of crashed runs from the server, then creates and migrates this run's template.
 *
 * A run is alive while a session with its `application_name` exists: that session always ends with the process, and
 * works on a server shared by several machines, where process ids mean nothing.
 */
export async function createTemplate(adminConnectionString: string, runName: string): Promise<Template> {
  const presence = new pg.Client({
    connectionString: adminConnectionString,
    application_name: runName,
    connectionTimeoutMillis: 20_000,
    keepAlive: true,
  });
  presence.on('error', () => {}); // a test may restart the server; the run continues
  await presence.connect();
  const templateName = `${runName}_template`;
  await dropDatabasesOfDeadRuns(adminConnectionString);
  await withClient(adminConnectionString, (client) =>
    client.query(`create database ${client.escapeIdentifier(templateName)}`),
  );
  const connectionString = onDatabase(adminConnectionString, templateName);
  await migrate({ connectionString });
  await withClient(adminConnectionString, (client) =>
    client.query(`alter database ${client.escapeIdentifier(templateName)} allow_connections false`),
  );
  return {
    templateName,
    async drop() {
      await presence.end().catch(() => {});
      await dropDatabases(adminConnectionString, (name) => RUN_NAME_PATTERN.exec(name)?.[0] === runName);
    },
  };
}

async function dropDatabasesOfDeadRuns(adminConnectionString: string): Promise<void> {
  const { rows } = await withClient(adminConnectionString, (client) =>
    client.query<{ application_name: string }>(
      `select application_name from pg_stat_activity where application_name like 'test\\_%'`,
    ),
  );
  const alive = new Set(rows.map((row) => row.application_name));
  await dropDatabases(adminConnectionString, (name) => {
    const run = RUN_NAME_PATTERN.exec(name)?.[0];
    return run !== undefined && !alive.has(run);
  });
}

async function dropDatabases(
  adminConnectionString: string,
  isToGo: (name: string) => boolean,
): Promise<void> {
  await withClient(adminConnectionString, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'test\\_%' and pg_get_userbyid(datdba) = current_user`,
    );
    for (const { datname } of rows) {
      if (!isToGo(datname)) continue;
      await dropDatabase(client, datname);
    }
  });
}
