import { type EmbeddedServer, EmbeddedServerError } from '@insurance-verification/embedded-postgres';
import { findRunning } from '@insurance-verification/environment';
import {
  checkWritable,
  createSealKey,
  migrate,
  openStore,
  type PageFault,
  readSealKey,
  type SealKey,
  startEmbeddedServer,
  type Store,
  WrongMasterKeyError,
} from '@insurance-verification/store';
import { firstDelaySeconds } from '@insurance-verification/webhook';
import type { Gauge } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import type { RowMacLog } from '../../telemetry/create-row-mac-log.ts';
import type { Log } from '../../telemetry/log.ts';
import { type LocalSecrets, lostKey, openLocalKey } from './local-secrets.ts';

export interface OpenDatabase {
  readonly store: Store;
  /** For LISTEN, which a transaction pooler does not support. */
  readonly directUrl: string;
  /** What its audit is sealed with; undefined where it is not. */
  readonly sealKey: SealKey | undefined;
  /** Closes the pool, then stops the embedded server. Call it last. */
  close(): Promise<void>;
}

/** Connections of the embedded server beyond the service's own: for `iv`, for probes of commits, and for its owner. */
const EMBEDDED_SPARE = 20;

interface Opening {
  readonly secrets: LocalSecrets;
  readonly log: Log;
  readonly rowMacs: RowMacLog;
  readonly databaseFault: Pick<Gauge<'code'>, 'set' | 'reset'>;
  /** Called before anything is created or changed. */
  readonly beforeStart: () => Promise<void>;
}

/**
 * The configured or the embedded database, migrated and opened.
 * @throws {StartError} naming the variable at fault.
 */
export async function openDatabase(config: Config, opening: Opening): Promise<OpenDatabase> {
  const { secrets, log, beforeStart } = opening;
  const sources = {
    database: 'DATA_DIR',
    encryptionKey: config.sourceOf('ENCRYPTION_KEY'),
    dataDir: config.dataDir,
  };
  let embedded: EmbeddedServer | undefined;
  try {
    if (config.databaseUrl === undefined) {
      embedded = await startEmbeddedServer({
        dataDir: config.dataDir,
        beforeStart,
        log: (message) => log.info(message),
        settings: { max_connections: String(Math.max(connectionCountOf(config) + EMBEDDED_SPARE, 100)) },
      });
    } else {
      await beforeStart();
      sources.database = config.sourceOf('DATABASE_URL');
    }
    const connectionString = config.databaseUrl ?? embedded?.connectionString ?? '';
    const directUrl = config.databaseDirectUrl ?? connectionString;
    const serviceSource = sources.database;
    if (config.databaseDirectUrl !== undefined) sources.database = config.sourceOf('DATABASE_DIRECT_URL');
    const applied = await migrate({
      connectionString: directUrl,
      serviceConnectionString: connectionString,
      onMigrated: () => (sources.database = serviceSource),
    });
    if (applied.length > 0)
      log.info(
        {
          count: applied.length,
          to: applied.find((name) => name.startsWith('schema ')) ?? applied.at(-1),
        },
        'migrated',
      );
    const key = config.encryptionKey === undefined ? openLocalKey(secrets) : undefined;
    if (key) sources.encryptionKey = `DATA_DIR: ${secrets.pathOf('encryption-key')}`;
    const sealKey = openSealKey(config, secrets);
    const store = await openStore({
      connectionString,
      encryptionKey: config.encryptionKey ?? key?.text ?? '',
      firstDeliveryDelaySeconds: firstDelaySeconds(config.retrySchedule),
      connectionCountMax: config.databasePoolMax,
      onRewrapped: ({ masterKeyId, rewrappedCount, leftCount, rows }) =>
        log.info(
          {
            master_key: masterKeyId,
            rewrapped: rewrappedCount,
            left: leftCount,
            rows_signed: rows.renewedCount,
            rows_left: rows.leftCount,
          },
          'wrapped the data keys and signed the rows of other master keys anew',
        ),
      ...opening.rowMacs,
      onConnectionLost: (err) => log.warn({ err }, 'an idle database connection was lost'),
      onCommitsHanging: (isHanging) =>
        isHanging
          ? log.error(
              'commits hang, so writes are refused; the server may be frozen, or a synchronous standby gone',
            )
          : log.info('commits complete again'),
      onPageFault: (fault) => reportPageFault(opening, fault),
    }).catch((err: unknown) => {
      throw key?.isNew === true && err instanceof WrongMasterKeyError ? lostKey(secrets) : err;
    });
    const close = async () => {
      await store.close();
      await embedded?.stop();
    };
    // The connection of this commit is kept; without it a frozen server could not be distinguished from a slow one.
    await checkWritable(store).catch(async (err: unknown) => {
      await store.close();
      throw err;
    });
    return { store, directUrl, sealKey, close };
  } catch (err) {
    await embedded?.stop();
    throw await nameDatabaseFailure(err, sources);
  }
}

const PAGE_FAULTS: Readonly<Record<PageFault, string>> = {
  '53100': "the database's disk is full (53100)",
  '58P01': "the database's data folder, or a file of it, is gone (58P01)",
  '58030': "the database's disk fails (58030)",
};

/** One line when pages can no longer be written, and one when they can again, however many calls fail meanwhile. */
function reportPageFault({ databaseFault, log }: Opening, fault: PageFault | null): void {
  databaseFault.reset();
  if (fault === null) return log.info("the database's disk takes writes again");
  databaseFault.set({ code: fault }, 1);
  log.error({ code: fault }, `${PAGE_FAULTS[fault]}; until it takes a page again, calls that write get 503`);
}

/**
 * The key that seals the audit: the configured one; for the embedded database one in its folder, made at the first start.
 * Undefined for any other database without one: nothing is sealed there.
 * @throws {StartError} when the kept text is no key.
 */
function openSealKey(
  { auditSealKey, isEmbedded }: Pick<Config, 'auditSealKey' | 'isEmbedded'>,
  secrets: LocalSecrets,
): SealKey | undefined {
  if (auditSealKey !== undefined || !isEmbedded) return auditSealKey;
  const kept = secrets.read('audit-seal-key');
  if (kept === undefined) secrets.keep('audit-seal-key', createSealKey());
  try {
    return readSealKey(secrets.read('audit-seal-key') ?? '');
  } catch (err) {
    throw new StartError(
      `DATA_DIR: ${secrets.pathOf('audit-seal-key')} is not a valid key, and the audit was sealed with it. Restore the file from a copy or a backup; or move it away, and what follows is sealed with another key.`,
      { cause: err },
    );
  }
}

/** A process's connections that are not in its pool: for keys, and for notifications. */
const BESIDE_POOL = 2;

/** The connections that a process may hold at once. */
export function connectionCountOf({ databasePoolMax }: Pick<Config, 'databasePoolMax'>): number {
  return databasePoolMax + BESIDE_POOL;
}

/** The variables that the database's settings came from. */
interface DatabaseSources {
  /** `DATABASE_URL`, `DATABASE_DIRECT_URL` or their files; `DATA_DIR` for the embedded database. */
  readonly database: string;
  /** `ENCRYPTION_KEY`, or where the key came from instead. */
  readonly encryptionKey: string;
  readonly dataDir: string;
}

/** Advice by failure code. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers there. Without DATABASE_URL the service starts a database of its own.',
  ENOTFOUND: 'Its host has no address.',
  EAI_AGAIN: 'Its host has no address now: the name server does not answer.',
  ETIMEDOUT: 'Its host does not answer.',
  '28P01': 'The database refuses this user or password.',
  '28000': 'The database refuses this user.',
  '25006':
    'It leads to a standby, or to a server with default_transaction_read_only. DATABASE_URL and DATABASE_DIRECT_URL must lead to the primary.',
  commits_hang: 'Its synchronous standby may be gone: see synchronous_standby_names and pg_stat_replication.',
  '3D000': 'The server has no database of this name.',
  '53100': 'Its disk is full.',
  '58P01': 'Its data folder, or a file of it, is gone.',
};

/** A failure to open the database, with the variable that leads to it. */
async function nameDatabaseFailure(err: unknown, sources: DatabaseSources): Promise<unknown> {
  const { database, encryptionKey, dataDir } = sources;
  if (err instanceof StartError || !(err instanceof Error)) return err;
  if (err instanceof WrongMasterKeyError)
    return new StartError(err.message.replace(/^ENCRYPTION_KEY/, encryptionKey), { cause: err });
  if (err instanceof EmbeddedServerError) {
    const [url] = err.code === 'already_owned' ? await findRunning(dataDir) : [];
    const where = url === undefined ? '' : `\nIt is the service at ${url}.`;
    return new StartError(`${database}: ${err.message}${where}`, { cause: err });
  }
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  const hint = database === 'DATA_DIR' ? undefined : advice[code];
  // With several addresses per host, Node's error holds several errors and has no message of its own.
  const what = `${database}: ${err.message || code || err.name}`;
  return new StartError(hint === undefined ? what : `${what}\n${hint}`, { cause: err });
}
