import pg from 'pg';
import { migrate } from '../migrations/migrate.ts';
import { withClient } from './create-test-database.ts';
import { dropDatabase } from './drop-database.ts';
import { onDatabase, RUN_NAME_PATTERN } from './test-server.ts';

/** The template of a run, and the session that says the run is alive. */
export interface Template {
  templateName: string;
  /** Drops every database of the run. */
  drop(): Promise<void>;
}

/**
 * Removes what crashed runs left on the server, then makes and migrates the template of this one.
 *
 * A run is alive while its session of the same `application_name` is: that ends with the process however it ends,
 * and tells the truth on a server that several machines share, where process ids say nothing.
 */
export async function createTemplate(adminConnectionString: string, runName: string): Promise<Template> {
  const presence = new pg.Client({
    connectionString: adminConnectionString,
    application_name: runName,
    connectionTimeoutMillis: 20_000,
    keepAlive: true,
  });
  presence.on('error', () => {}); // a server restarted by a test; the run goes on
  await presence.connect();
  const templateName = `${runName}_template`;
  await dropDatabasesOfDeadRuns(adminConnectionString);
  await withClient(adminConnectionString, (client) =>
    client.query(`create database ${client.escapeIdentifier(templateName)}`),
  );
  await migrate({ connectionString: onDatabase(adminConnectionString, templateName) });
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
