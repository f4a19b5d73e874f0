import { join } from 'node:path';
import { dataDirOf, hasDataDir, runsAt } from '@insurance-verification/environment';
import { readApiKey, readKept } from './config.ts';

/** The key for a service, and where it was found. */
export interface FoundKey {
  readonly apiKey: string | undefined;
  /** For a message: where the key is from, or where none was found. Never the key itself. */
  readonly source: string;
  /** The key of the test account, where the service keeps both keys; undefined when another key is in use. */
  readonly testKey: string | undefined;
}

/**
 * The key in `IV_API_KEY`, otherwise the one that the service keeps in `DATA_DIR`. A kept key goes to the service that
 * runs on that folder alone: another program may listen anywhere on this machine.
 * @throws {WrongUsageError} when the file of `IV_API_KEY_FILE` is unusable.
 */
export async function findApiKey(environment: NodeJS.ProcessEnv, url: string): Promise<FoundKey> {
  const dataDir = dataDirOf(environment);
  const keptIn = join(dataDir, 'api-key');
  const kept = readKept(dataDir, 'api-key');
  const given = readApiKey(environment);
  const isKeeper = kept !== undefined && (given ?? kept) === kept && (await runsAt(dataDir, url));
  const testKey = isKeeper ? readKept(dataDir, 'test-api-key') : undefined;
  if (given !== undefined)
    return { apiKey: given, source: environment['IV_API_KEY'] ? 'IV_API_KEY' : 'IV_API_KEY_FILE', testKey };
  if (isKeeper) return { apiKey: kept, source: keptIn, testKey };
  if (!hasDataDir(environment)) return { apiKey: undefined, source: 'IV_API_KEY', testKey: undefined };
  const elsewhere =
    kept === undefined
      ? `none is kept in ${keptIn}`
      : `the one in ${keptIn} is for the service of that folder`;
  return { apiKey: undefined, source: `IV_API_KEY, and ${elsewhere}`, testKey: undefined };
}
