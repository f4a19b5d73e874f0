import {
  createMasterKey,
  migrate,
  openStore,
  startEmbeddedServer,
  type Store,
} from '@insurance-verification/store';
import { firstDelaySeconds } from '@insurance-verification/webhook';
import type { Config } from './config.ts';
import type { LocalSecrets } from './local-secrets.ts';
import type { Log } from './log.ts';

export interface OpenDatabase {
  readonly store: Store;
  /** For LISTEN, which a transaction pooler does not carry. */
  readonly directUrl: string;
  /** Closes the pool, then stops the embedded server: it goes last. */
  close(): Promise<void>;
}

/** The configured database, or the embedded one, migrated and opened. */
export async function openDatabase(config: Config, secrets: LocalSecrets, log: Log): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedServer({ dataDir: config.dataDir, log: (message) => log.debug(message) })
      : undefined;
  try {
    const connectionString = config.databaseUrl ?? embedded?.connectionString ?? '';
    const directUrl = config.databaseDirectUrl ?? connectionString;
    const applied = await migrate({ connectionString: directUrl, serviceConnectionString: connectionString });
    for (const name of applied) log.info({ migration: name }, 'migrated');
    const store = await openStore({
      connectionString,
      encryptionKey: config.encryptionKey ?? localEncryptionKey(secrets),
      firstDeliveryDelaySeconds: firstDelaySeconds(config.retrySchedule),
      onConnectionLost: (err) => log.warn({ err }, 'an idle database connection was lost'),
      onCommitsHanging: (isHanging) =>
        isHanging
          ? log.error('commits hang, so writes are refused; a synchronous standby may be gone')
          : log.info('commits come through again'),
    });
    const close = async () => {
      await store.close();
      await embedded?.stop();
    };
    return { store, directUrl, close };
  } catch (err) {
    await embedded?.stop();
    throw err;
  }
}

function localEncryptionKey(secrets: LocalSecrets): string {
  const kept = secrets.read('encryption-key');
  if (kept !== undefined) return kept;
  const made = createMasterKey('local');
  secrets.keep('encryption-key', made);
  return made;
}
