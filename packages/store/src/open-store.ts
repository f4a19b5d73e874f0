import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { parseMasterKeys } from './encryption/master-keys.ts';
import { Vault } from './encryption/vault.ts';
import type { Tables } from './tables.ts';

/** What every operation of this package takes first. */
export interface Store {
  readonly db: Kysely<Tables>;
  readonly vault: Vault;
  /** Seconds from an accepted result to its first delivery attempt: the first step of the retry schedule. */
  readonly firstDeliveryDelaySeconds: number;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly connectionString: string;
  /** `id:base64-of-32-bytes[,id:…]`: the first encrypts, all decrypt. */
  readonly encryptionKey: string;
  readonly firstDeliveryDelaySeconds?: number;
  /** Connections at most. */
  readonly connectionCountMax?: number;
  /** Told when an idle connection breaks; the pool replaces it, the process lives. */
  readonly onConnectionLost?: (err: Error) => void;
}

/**
 * Opens a migrated database.
 * @throws {WrongMasterKeyError} when it was written under another master key; nothing is touched.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.connectionCountMax ?? 20,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A half-open connection answers nothing, so only a clock of our own notices it. Above the server's 15 s.
    query_timeout: 17_000,
    application_name: 'insurance-verification',
  });
  // Without a listener an idle connection whose backend dies ends the process.
  pool.on('error', (err) => options.onConnectionLost?.(err));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // Keys are loaded in the middle of transactions. From the same pool, twenty transactions that each wait for a
  // second connection would wait for each other; this one is never held while waiting for anything.
  const keyPool = new pg.Pool({ ...pool.options, max: 1 });
  keyPool.on('error', (err) => options.onConnectionLost?.(err));
  const keyDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: keyPool }) });
  const close = async () => void (await Promise.all([db.destroy(), keyDb.destroy()]));
  try {
    const vault = await Vault.open(keyDb, parseMasterKeys(options.encryptionKey));
    const { firstDeliveryDelaySeconds = 0 } = options;
    return { db, vault, firstDeliveryDelaySeconds, close };
  } catch (err) {
    await close();
    throw err;
  }
}
