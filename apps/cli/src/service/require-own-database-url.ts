import { dataDirOf } from '@insurance-verification/environment';
import { readDatabaseUrl } from './config.ts';
import { requireDatabaseUrl } from './require-database-url.ts';

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
    const { findEmbeddedServer } = await import('@insurance-verification/store');
    const found = findEmbeddedServer(dataDirOf(environment));
    if (found !== undefined) return found;
  }
  return requireDatabaseUrl(environment, example);
}
