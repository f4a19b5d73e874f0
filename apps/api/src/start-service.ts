import { ensureDefaultAccount } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { announceAddress } from './announce-address.ts';
import type { Config } from './config.ts';
import { openLocalSecrets } from './local-secrets.ts';
import type { Log } from './log.ts';
import { openDatabase } from './open-database.ts';
import { startRoles } from './start-roles.ts';

/** A running process of the service. */
export interface Service {
  /** `http://host:port`, without the http role for probes and metrics alone; undefined when nothing is served. */
  readonly url: string | undefined;
  /** `http://host:port` of `/metrics`, when it has a port of its own. */
  readonly metricsUrl: string | undefined;
  /** The first key, when this start made it. It is shown once. */
  readonly madeApiKey: string | null;
  /** The first key as kept in `DATA_DIR`; undefined when it is not kept there. */
  readonly keptApiKeyPath: string | undefined;
  /** Drains: not ready, no new connections, no new claims; what is under way ends within the deadline. */
  stop(): Promise<void>;
}

/** Opens the configured database, makes sure of its first account, and starts the roles of this process on it. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const secrets = openLocalSecrets(config.dataDir);
  const database = await openDatabase(config, secrets, log);
  try {
    const madeApiKey = await ensureDefaultAccount(database.store, {
      apiKey: config.bootstrapApiKey,
      webhookSecret: config.bootstrapWebhookSecret,
      createWebhookSecret,
    });
    if (madeApiKey !== null) secrets.keep('api-key', madeApiKey);
    const roles = await startRoles(config, database, log);
    const withdraw =
      roles.url !== undefined && config.roles.includes('http')
        ? announceAddress(config.dataDir, roles.url, log)
        : undefined;
    const stop = async () => {
      withdraw?.();
      await roles.stop();
      await database.close();
    };
    const keptApiKeyPath = secrets.read('api-key') === undefined ? undefined : secrets.pathOf('api-key');
    return { url: roles.url, metricsUrl: roles.metricsUrl, madeApiKey, keptApiKeyPath, stop };
  } catch (err) {
    await database.close();
    throw err;
  }
}
