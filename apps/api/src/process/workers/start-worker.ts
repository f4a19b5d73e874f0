import { type Config, readConfig } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { openLocalSecrets } from '../database/local-secrets.ts';
import { openDatabase } from '../database/open-database.ts';
import { startRoles } from '../start-roles.ts';
import type { Crew } from './join-supervisor.ts';
import type { Seat } from './worker-messages.ts';

/** The configuration of the worker in a seat. The role `verification` is the first one's, so its caps hold for all. */
export function readSeatedConfig({ number, port, metricsPort, embeddedUrl }: Seat): Config {
  const config = readConfig(process.env);
  return {
    ...config,
    port,
    metricsPort,
    databaseUrl: config.databaseUrl ?? embeddedUrl,
    roles: number === 1 ? config.roles : config.roles.filter((role) => role !== 'verification'),
  };
}

/** Starts a worker's roles on the supervisor's database. */
export async function startWorker(config: Config, log: Log, crew: Crew) {
  const secrets = openLocalSecrets(config.dataDir);
  // A worker of newer code than the supervisor's, after a change in place, migrates.
  const database = await openDatabase(config, { secrets, log, beforeStart: async () => undefined });
  try {
    const roles = await startRoles(config, database, log, crew);
    return {
      ...roles,
      notifier: database.store.notifier,
      stop: async (lingerMs: number) => {
        await roles.stop(lingerMs);
        await database.close();
      },
    };
  } catch (err) {
    await database.close();
    throw err;
  }
}
