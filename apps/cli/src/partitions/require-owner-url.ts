import { dataDirOf } from '@insurance-verification/environment';
import { readDatabaseUrl } from '../service/config.ts';
import { requireDatabaseUrl } from '../service/require-database-url.ts';

/** What must hold for the work on months. */
export const EXPECTED =
  'a database that this version has migrated, reached as the role that owns its tables, without a pooler between';

/**
 * The database that the environment names, otherwise the embedded one of a service that runs on `DATA_DIR`.
 * @throws {WrongUsageError} when neither exists.
 */
export async function requireOwnerUrl(example: string): Promise<string> {
  if (readDatabaseUrl(process.env) === undefined) {
    const { findEmbeddedServer } = await import('@insurance-verification/store');
    const found = findEmbeddedServer(dataDirOf(process.env));
    if (found !== undefined) return found;
  }
  return requireDatabaseUrl(process.env, example);
}
