import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CommitWatch } from './commits/commit-watch.ts';
import { PageWatch } from './commits/page-watch.ts';
import { connectUnretired, watchedClient } from './commits/watched-client.ts';
import { clientFor, type PreparingClient, preparingClient } from './connection/client-for.ts';
import {
  guardConnection,
  impatientPool,
  TURN_MS_MAX,
  createSemaphore,
  type Semaphore,
} from './connection/impatient-pool.ts';
import { type Pipelined, pipelinedOn } from './connection/pipelined.ts';
import type { PageFault } from './connection/primary.ts';
import { isPooled } from './connection/role-settings.ts';
import { parseMasterKeys } from './encryption/master-keys.ts';
import { Vault, type VaultEvents } from './encryption/vault.ts';
import type { Tables } from './tables/tables.ts';

/** The first parameter of every operation in this package. */
export interface Store {
  readonly db: Kysely<Tables>;
  /** Connections of the same pool, for transactions whose statements need not wait for each other's answers. */
  readonly pipelined: Pipelined;
  /**
   * A connection outside of transactions, for data keys and API keys: a call that finds the pool exhausted waits for it
   * once, rather than for its API key as well.
   */
  readonly keyDb: Kysely<Tables>;
  readonly vault: Vault;
  /** Tracks whether commits complete. */
  readonly commits: CommitWatch;
  /** Tracks whether the server can write a new page. */
  readonly pages: PageWatch;
  /** Claims of work at once in this process. More would only collide while they hold connections. */
  readonly claiming: Semaphore;
  /**
   * Outputs of anonymous senders held at once in this process: their share has one writer at a time. A flood waits here
   * rather than on connections, which all calls need.
   */
  readonly holding: Semaphore;
  /** Transactions that may write a result, as many at once as the pool has connections. The others wait here. */
  readonly finishing: Semaphore;
  /** Seconds from an accepted result to its first delivery attempt: the first step of the retry schedule. */
  readonly firstDeliveryDelaySeconds: number;
  /** Marks this process's own notifications of due deliveries, so that they do not wake it as well. */
  readonly notifier: string;
  readonly close: () => Promise<void>;
}

export interface StoreOptions extends VaultEvents {
  /** In libpq's format, with one host or several; see `apps/docs/configuration.md`. */
  readonly connectionString: string;
  /** `id:base64-of-32-bytes[,id:…]`: the first key encrypts, all decrypt. */
  readonly encryptionKey: string;
  readonly firstDeliveryDelaySeconds?: number;
  /** Maximum number of connections, in addition to one for keys and one that probes commits. */
  readonly connectionCountMax?: number;
  /** Called when an idle connection breaks; the pool replaces it, and the process continues. */
  readonly onConnectionLost?: (err: Error) => void;
  /** Called when commits start to hang, from when on nothing is written, and when they stop hanging. */
  readonly onCommitsHanging?: (isHanging: boolean) => void;
  /** Called when the server can write no page, its disk being full or gone, and with null when it can again. */
  readonly onPageFault?: (fault: PageFault | null) => void;
}

/** Milliseconds that a result waits for its turn: 256 at once need some 1,300 at 200 a second. */
const FINISHING_TURN_MS_MAX = 5_000;

/** Claims, and outputs of anonymous senders, each. */
const AT_ONCE_MAX = 4;

/**
 * Opens a migrated database.
 * @throws {WrongMasterKeyError} when it was written under another master key; nothing is changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { onCommitsHanging: onHanging, onPageFault: onFault, onConnectionLost } = options;
  const Client = clientFor(options.connectionString);
  const commits = new CommitWatch({ Client, onHanging });
  const pages = new PageWatch({ Client, onFault });
  const pool = { Client: watchedClient({ commits, pages }, preparingClient(Client)), onConnectionLost };
  const { connectionCountMax = 20 } = options;
  const lending = unretired(impatientPool(openPool({ ...pool, connectionCountMax })));
  const db = connect(lending);
  // Keys are loaded in the middle of transactions. From the same pool, twenty transactions that each wait for a second
  // connection would deadlock; this connection is never held while waiting for anything.
  const keyDb = connect(unretired(openPool({ ...pool, connectionCountMax: 1 })));
  const close = async () =>
    // Kysely does not end a pool that it never used.
    void (await Promise.all([db.destroy(), lending.end(), keyDb.destroy(), commits.close(), pages.close()]));
  try {
    const vault = await Vault.open(keyDb, parseMasterKeys(options.encryptionKey), options);
    const { firstDeliveryDelaySeconds = 0 } = options;
    return {
      db,
      pipelined: pipelinedOn(lending),
      keyDb,
      vault,
      commits,
      pages,
      claiming: createSemaphore(AT_ONCE_MAX),
      holding: createSemaphore(AT_ONCE_MAX, TURN_MS_MAX),
      finishing: createSemaphore(connectionCountMax, FINISHING_TURN_MS_MAX),
      firstDeliveryDelaySeconds,
      notifier: randomUUID(),
      close,
    };
  } catch (err) {
    await close();
    throw err;
  }
}

type LendingPool = Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> };

function unretired(pool: LendingPool): LendingPool {
  let ending: Promise<void> | undefined;
  return {
    options: pool.options,
    end: () => (ending ??= pool.end()),
    connect: () => connectUnretired(() => pool.connect()),
  };
}

function connect(pool: LendingPool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
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
    // Below the silence that `guardConnection` treats as death, so that idle connections close normally.
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    onConnect: async (client) => {
      const pooled = client as pg.PoolClient & PreparingClient;
      guardConnection(pooled);
      pooled.preparesCalls = !(await isPooled(pooled));
    },
  });
  // Without a listener, an idle connection whose backend dies ends the process. A connection that is closing is not
  // lost: the pool does not wait for its last message, and an embedded server that is stopped next reports its end.
  pool.on('error', (err) => {
    if (!pool.ending) onConnectionLost?.(err);
  });
  return pool;
}
