import { findRunning } from '@insurance-verification/environment';
import { EmbeddedServerError, WrongMasterKeyError } from '@insurance-verification/store';
import { StartError } from '../../config/start-error.ts';

/** The variables that the database's settings came from. */
export interface DatabaseSources {
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
};

/** A failure to open the database, with the variable that leads to it. */
export async function nameDatabaseFailure(err: unknown, sources: DatabaseSources): Promise<unknown> {
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
