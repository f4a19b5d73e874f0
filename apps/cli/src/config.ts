import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The service's address, as given; undefined when none is. The client checks it. */
export function readServiceUrl(environment: Environment): string | undefined {
  return given(environment, 'IV_URL');
}

/** The API key; undefined when none is given and none is kept here. */
export function readApiKey(environment: Environment, url: string): string | undefined {
  return (
    given(environment, 'IV_API_KEY') ??
    (isThisMachine(url) ? readKeptApiKey(dataDirOf(environment)) : undefined)
  );
}

/** Where `readApiKey` looks, for a message; never the key. */
export function tellKeySource(environment: Environment, url: string): string {
  if (given(environment, 'IV_API_KEY') !== undefined) return 'IV_API_KEY';
  return isThisMachine(url) ? join(dataDirOf(environment), 'api-key') : 'IV_API_KEY, which is not set';
}

/** The key that a service keeps in its `DATA_DIR`; undefined when there is none, or it is not ours to read. */
export function readKeptApiKey(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'api-key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The database for migrations and the first key: past a transaction pooler where one is named. */
export function readDatabaseUrl(environment: Environment): string | undefined {
  return given(environment, 'DATABASE_DIRECT_URL') ?? given(environment, 'DATABASE_URL');
}

/** What encrypts the database. */
export function readEncryptionKey(environment: Environment): string | undefined {
  return given(environment, 'ENCRYPTION_KEY');
}

/** Where a service of this workspace keeps what is its own. */
export function dataDirOf(environment: Environment): string {
  return given(environment, 'DATA_DIR') ?? join(workspaceRoot, '.data');
}

/** The kept key belongs to a service on this machine: sent anywhere else, it would be given away. */
function isThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** An empty variable counts as absent, as the service counts it. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}
