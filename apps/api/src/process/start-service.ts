import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { announceAddress } from '../http/probes/announce-address.ts';
import { type ListenAddress, nameListenFailure } from '../http/start-http.ts';
import { createRowMacLog } from '../telemetry/create-row-mac-log.ts';
import type { Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openLocalSecrets } from './database/local-secrets.ts';
import { openDatabase } from './database/open-database.ts';
import { type FirstKeys, openFirstKeys, openFirstLink } from './database/open-first-keys.ts';
import {
  warnOfFewConnections,
  warnOfUnconfirmedCommits,
  warnOfUnsealedAudit,
  warnOfUnencryptedDatabase,
} from './database/warn-at-start.ts';
import { loadForCalls } from './load-for-calls.ts';
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
  const loading = loadForCalls(config);
  loading.catch(() => undefined); // awaited below, unless the database does not open
  const database = await openDatabase(config, {
    secrets,
    log,
    beforeStart: () => checkPorts(config),
    rowMacs: createRowMacLog(metrics, log),
    databaseFault: metrics.databaseFault,
  });
  try {
    await loading;
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
    const firstLink =
      config.hasConsole && config.signInWay === 'link' ? await openFirstLink(database.store) : null;
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

/**
 * Listens briefly on the ports of the service: a port in use is reported before a database is created or migrated.
 * @throws {StartError}
 */
async function checkPorts({ host, port, metricsPort }: Config): Promise<void> {
  if (port !== undefined) await tryPort({ host, port, variable: 'PORT' });
  if (metricsPort !== undefined) await tryPort({ host, port: metricsPort, variable: 'METRICS_PORT' });
}

async function tryPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening'); // throws the error of the `error` event
  } catch (err) {
    throw nameListenFailure(err, address);
  }
  server.close();
  await once(server, 'close');
}
