import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { CommitWatch } from './commits/commit-watch.ts';
import { connectUnretired, watchedClient } from './commits/watched-client.ts';
import { clientFor } from './connection/client-for.ts';
import { guardConnection } from './connection/guard-connection.ts';
import { impatientPool } from './connection/impatient-pool.ts';
import { parseMasterKeys } from './encryption/master-keys.ts';
import { Vault } from './encryption/vault.ts';
import type { Tables } from './tables.ts';

/** What every operation of this package takes first. */
export interface Store {
  readonly db: Kysely<Tables>;
  /**
   * One connection that no transaction holds, for keys of both kinds: a call that finds the pool exhausted waits for
   * it once, not for its API key as well.
   */
  readonly keyDb: Kysely<Tables>;
  readonly vault: Vault;
  /** Knows whether what is written comes through. */
  readonly commits: CommitWatch;
  /** Seconds from an accepted result to its first delivery attempt: the first step of the retry schedule. */
  readonly firstDeliveryDelaySeconds: number;
  /** Signs this process's notifications that a delivery is due, so that they do not wake it as well. */
  readonly notifier: string;
  readonly close: () => Promise<void>;
}

export interface StoreOptions {
  /** Of libpq's form, with one host or several: `apps/docs/database-address.md` has what it may say. */
  readonly connectionString: string;
  /** `id:base64-of-32-bytes[,id:…]`: the first encrypts, all decrypt. */
  readonly encryptionKey: string;
  readonly firstDeliveryDelaySeconds?: number;
  /** Connections at most, beside one for keys, and one that asks whether commits come through. */
  readonly connectionCountMax?: number;
  /** Told when an idle connection breaks; the pool replaces it, the process lives. */
  readonly onConnectionLost?: (err: Error) => void;
  /** Told when commits begin to hang, so that nothing is written any more, and when they end again. */
  readonly onCommitsHanging?: (isHanging: boolean) => void;
}

/**
 * Opens a migrated database.
 * @throws {WrongMasterKeyError} when it was written under another master key; nothing is touched.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { onCommitsHanging: onHanging, onConnectionLost } = options;
  const Client = clientFor(options.connectionString);
  const commits = new CommitWatch({ Client, onHanging });
  const pool = { Client: watchedClient(commits, Client), onConnectionLost };
  const db = connect(
    impatientPool(openPool({ ...pool, connectionCountMax: options.connectionCountMax ?? 20 })),
  );
  // Keys are loaded in the middle of transactions. From the same pool, twenty transactions that each wait for a
  // second connection would wait for each other; this one is never held while waiting for anything.
  const keyDb = connect(openPool({ ...pool, connectionCountMax: 1 }));
  const close = async () => void (await Promise.all([db.destroy(), keyDb.destroy(), commits.close()]));
  try {
    const vault = await Vault.open(keyDb, parseMasterKeys(options.encryptionKey));
    const { firstDeliveryDelaySeconds = 0 } = options;
    return { db, keyDb, vault, commits, firstDeliveryDelaySeconds, notifier: randomUUID(), close };
  } catch (err) {
    await close();
    throw err;
  }
}

type LendingPool = Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> };

function connect(pool: LendingPool): Kysely<Tables> {
  const unretired: PostgresPool = {
    options: pool.options,
    end: () => pool.end(),
    connect: () => connectUnretired(() => pool.connect()),
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: unretired }) });
}

function openPool({
  Client,
  connectionCountMax,
  onConnectionLost,
}: {
  Client: typeof pg.Client;
  connectionCountMax: number;
  onConnectionLost: StoreOptions['onConnectionLost'];
}): pg.Pool {
  const pool = new pg.Pool({
    Client,
    max: connectionCountMax,
    connectionTimeoutMillis: 2_000,
    // Below the silence that `guardConnection` takes for death, so that an idle connection ends in peace.
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'insurance-verification',
  });
  pool.on('connect', (client) => guardConnection(client));
  // Without a listener an idle connection whose backend dies ends the process. One that is being closed is not lost: the
  // pool does not wait for its last word, and an embedded server that is stopped next says that it ends it.
  pool.on('error', (err) => {
    if (!pool.ending) onConnectionLost?.(err);
  });
  return pool;
}
