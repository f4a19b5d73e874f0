import type { Config } from '../config/config.ts';
import { announceAddress } from '../http/probes/announce-address.ts';
import { createRowMacLog } from '../telemetry/create-row-mac-log.ts';
import type { Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { checkPorts } from './check-ports.ts';
import { openLocalSecrets } from './database/local-secrets.ts';
import { openDatabase } from './database/open-database.ts';
import { type FirstKeys, openFirstKeys } from './database/open-first-keys.ts';
import { openFirstLink } from './database/open-first-link.ts';
import {
  warnOfFewConnections,
  warnOfUnconfirmedCommits,
  warnOfUnsealedAudit,
} from './database/warn-at-start.ts';
import { warnOfUnencryptedDatabase } from './database/warn-of-unencrypted-database.ts';
import { startRoles } from './start-roles.ts';

/** A running process of the service. */
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
  /**
   * Drains: not ready, no new connections, no new claims; work under way ends within the deadline.
   * @param isBehindProxy it takes calls for some seconds more, until a proxy sends no more; default: false.
   */
  stop(isBehindProxy?: boolean): Promise<void>;
}

/**
 * Opens the configured database, ensures its first accounts, and starts this process's roles on it.
 * @throws {StartError} naming the variable at fault.
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  const secrets = openLocalSecrets(config.dataDir);
  const metrics = createMetrics(log);
  const database = await openDatabase(config, {
    secrets,
    log,
    beforeStart: () => checkPorts(config),
    rowMacs: createRowMacLog(metrics, log),
  });
  try {
    await warnOfFewConnections(config, database.store, log);
    await warnOfUnconfirmedCommits(config, database.store, log);
    warnOfUnsealedAudit(config, database.sealKey, log);
    warnOfUnencryptedDatabase(config, log);
    const firstKeys = await openFirstKeys(config, database.store, secrets);
    const roles = await startRoles(config, database, { metrics, log });
    const withdraw =
      roles.url !== undefined && config.roles.includes('http')
        ? announceAddress(config.dataDir, roles.url, log)
        : undefined;
    const firstLink = config.hasConsole && !config.provider ? await openFirstLink(database.store) : null;
    const stop = async (isBehindProxy = false) => {
      withdraw?.();
      await roles.stop(isBehindProxy);
      await database.close();
    };
    const { url, metricsUrl, openConsole } = roles;
    return { url, metricsUrl, firstKeys, firstLink, openConsole, stop };
  } catch (err) {
    await database.close();
    throw err;
  }
}
