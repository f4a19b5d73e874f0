import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSecretFiles } from '@insurance-verification/environment';
import { WrongUsageError } from '../failure/failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const workspaceRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/** The service's address as given, checked by the client; undefined when not set. */
export function readServiceUrl(environment: Environment): string | undefined {
  return given(environment, 'IV_URL');
}

/**
 * The API key; undefined when none is set and no kept key applies.
 * @throws {WrongUsageError} when a secret's file is unusable; the same holds for every secret below.
 */
export function readApiKey(environment: Environment, url: string): string | undefined {
  return (
    secret(environment, 'IV_API_KEY') ??
    (isThisMachine(url) ? readKeptApiKey(dataDirOf(environment)) : undefined)
  );
}

/** The key of the test account, kept beside the kept key; undefined when another key is in use. */
export function readKeptTestKey(environment: Environment, url: string): string | undefined {
  const kept = readKept(dataDirOf(environment), 'api-key');
  return kept !== undefined && readApiKey(environment, url) === kept
    ? readKept(dataDirOf(environment), 'test-api-key')
    : undefined;
}

/** Where `readApiKey` finds the key, for a message; never the key itself. */
export function tellKeySource(environment: Environment, url: string): string {
  for (const name of ['IV_API_KEY', 'IV_API_KEY_FILE'])
    if (given(environment, name) !== undefined) return name;
  return isThisMachine(url) ? join(dataDirOf(environment), 'api-key') : 'IV_API_KEY, which is not set';
}

/** The key that a service keeps in its `DATA_DIR`; undefined when there is none or it is not readable. */
export function readKeptApiKey(dataDir: string): string | undefined {
  return readKept(dataDir, 'api-key');
}

/** A secret that a service keeps beside its embedded database. */
export function readKept(
  dataDir: string,
  name: 'api-key' | 'test-api-key' | 'encryption-key',
): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The database for migrations and the first key; bypasses a transaction pooler when a direct address is set. */
export function readDatabaseUrl(environment: Environment): string | undefined {
  return secret(environment, 'DATABASE_DIRECT_URL') ?? secret(environment, 'DATABASE_URL');
}

/** The key that encrypts the database. */
export function readEncryptionKey(environment: Environment): string | undefined {
  return secret(environment, 'ENCRYPTION_KEY');
}

/** The data directory; by default that of a service started in this workspace. */
export function dataDirOf(environment: Environment): string {
  return given(environment, 'DATA_DIR') ?? join(workspaceRoot, '.data');
}

/** The kept key belongs to a service on this machine: sent to any other host, it would leak. */
function isThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** An empty variable counts as absent, as it does for the service. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

/** A variable whose value may also come from the file named by `…_FILE`. */
function secret(environment: Environment, name: string): string | undefined {
  const { environment: read, faults } = readSecretFiles(environment, [name]);
  if (faults.length > 0) throw new WrongUsageError(faults.join('\n'));
  return given(read, name);
}
