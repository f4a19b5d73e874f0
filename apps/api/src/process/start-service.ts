import type { Config } from '../config/config.ts';
import { SUPERVISOR_POOL_MAX } from '../config/process-size.ts';
import { announceAddress } from '../http/probes/announce-address.ts';
import type { Log } from '../telemetry/log.ts';
import { checkDoors, type Doors } from './check-doors.ts';
import { openLocalSecrets } from './database/local-secrets.ts';
import { openDatabase } from './database/open-database.ts';
import { type FirstKeys, openFirstKeys } from './database/open-first-keys.ts';
import { openFirstLink } from './database/open-first-link.ts';
import { warnOfFewConnections } from './database/warn-of-few-connections.ts';
import { warnOfUnconfirmedCommits } from './database/warn-of-unconfirmed-commits.ts';
import { warnOfUnsealedAudit } from './database/warn-of-unsealed-audit.ts';

/** A running process of the service, or a supervisor with its workers. */
export interface Service {
  /** `http://host:port`, without the http role for probes and metrics only; undefined when nothing is served. */
  readonly url: string | undefined;
  /** `http://host:port` of `/metrics`, if it has a separate port. */
  readonly metricsUrl: string | undefined;
  readonly firstKeys: FirstKeys;
  /** The token of a link that signs the first person in; null without a console, with a provider, or if the person was ended. */
  readonly firstLink: string | null;
  /** Serves the console's pages, and builds them first if needed. Called when nothing else is waiting any more. */
  openConsole(): Promise<void>;
  /** With several workers: resolves with the reason when none can be kept running any more. */
  readonly whenLost: Promise<string> | undefined;
  /** With several workers: replaces them, one by one. */
  readonly replaceWorkers: (() => Promise<void>) | undefined;
  /** Drains: not ready, no new connections, no new claims; work under way ends within the deadline. */
  stop(): Promise<void>;
}

/**
 * Opens the configured database, ensures its first accounts, and starts this process's roles on it, or its workers.
 * @throws {StartError} naming the variable at fault.
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  const secrets = openLocalSecrets(config.dataDir);
  let doors: Doors = config;
  const beforeStart = async () => void (doors = await checkDoors(config));
  const isAlone = config.workers === 1;
  const opened = isAlone ? config : { ...config, databasePoolMax: SUPERVISOR_POOL_MAX };
  const database = await openDatabase(opened, { secrets, log, beforeStart });
  try {
    await warnOfFewConnections(config, database.store, log);
    await warnOfUnconfirmedCommits(config, database.store, log);
    warnOfUnsealedAudit(config, database.sealKey, log);
    const firstKeys = await openFirstKeys(config, database.store, secrets);
    const roles = isAlone
      ? await (await import('./start-roles.ts')).startRoles(config, database, log)
      : await (
          await import('./workers/start-workers.ts')
        ).startWorkers({ ...config, ...doors }, database, log);
    const withdraw =
      roles.url !== undefined && config.roles.includes('http')
        ? announceAddress(config.dataDir, roles.url, log)
        : undefined;
    const firstLink = config.hasConsole && !config.provider ? await openFirstLink(database.store) : null;
    const stop = async () => {
      withdraw?.();
      await roles.stop();
      await database.close();
    };
    const { url, metricsUrl, openConsole, whenLost, replaceWorkers } = roles;
    return { url, metricsUrl, firstKeys, firstLink, openConsole, whenLost, replaceWorkers, stop };
  } catch (err) {
    await database.close();
    throw err;
  }
}
