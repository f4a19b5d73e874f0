import { dataDirOf } from '@insurance-verification/environment';
import { rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { readDatabaseUrl, readEncryptionKey, readKept } from './config.ts';

/**
 * The database that the environment names.
 * @param whereNone what the message says where none is named.
 * @throws {WrongUsageError} when unset or not a database address. The message never repeats the value: it holds a
 * password.
 */
export function requireDatabaseUrl(
  environment: NodeJS.ProcessEnv,
  example: string,
  whereNone = 'no service runs on an embedded database here',
): string {
  const url = readDatabaseUrl(environment);
  if (url !== undefined && /^postgres(ql)?:\/\//.test(url)) return url;
  const came = url === undefined ? `neither is set, and ${whereNone}` : 'what came is no such address';
  throw new WrongUsageError(
    `No database. Expected postgres://user:password@host:5432/database in DATABASE_DIRECT_URL or DATABASE_URL; ${came}.\n${rightExample(example)}`,
  );
}

/**
 * The database that the environment names, otherwise the embedded one of a service that runs on `DATA_DIR`.
 * @throws {WrongUsageError} when neither exists.
 */
export async function requireOwnDatabaseUrl(
  environment: NodeJS.ProcessEnv,
  example: string,
): Promise<string> {
  if (readDatabaseUrl(environment) === undefined) {
    // Imported on demand: loading the database packages takes longer than most commands.
    const { findServer } = await import('@insurance-verification/embedded-postgres');
    const found = findServer(dataDirOf(environment));
    if (found !== undefined) return found;
  }
  return requireDatabaseUrl(environment, example);
}

/** A database to work on directly, without the service. */
export interface FoundDatabase {
  readonly connectionString: string;
  readonly encryptionKey: string;
  /** Set for the embedded database; undefined for the one in `DATABASE_URL`. */
  readonly dataDir: string | undefined;
}

/**
 * The database that the environment names, otherwise the embedded one of a service that runs on `DATA_DIR`.
 * @throws {WrongUsageError} when neither exists, or its encryption key is missing.
 */
export async function findDatabase(environment: NodeJS.ProcessEnv, example: string): Promise<FoundDatabase> {
  const dataDir = dataDirOf(environment);
  if (readDatabaseUrl(environment) === undefined) {
    // Imported on demand: loading the database packages takes longer than most commands.
    const { findServer } = await import('@insurance-verification/embedded-postgres');
    const connectionString = findServer(dataDir);
    const encryptionKey = readEncryptionKey(environment) ?? readKept(dataDir, 'encryption-key');
    if (connectionString !== undefined && encryptionKey !== undefined)
      return { connectionString, encryptionKey, dataDir };
  }
  const connectionString = requireDatabaseUrl(environment, example);
  const encryptionKey = readEncryptionKey(environment);
  if (encryptionKey !== undefined) return { connectionString, encryptionKey, dataDir: undefined };
  throw new WrongUsageError(
    `No encryption key. Expected the service's id:base64-of-32-bytes in ENCRYPTION_KEY, which is not set.\n${rightExample(example)}`,
  );
}
