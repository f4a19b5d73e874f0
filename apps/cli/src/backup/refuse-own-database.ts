import { rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { readDatabaseUrl } from '../service/config.ts';

/**
 * These commands handle the embedded database only; an operator who configured another one expects that one.
 * @throws {WrongUsageError} when the environment configures a database.
 */
export function refuseOwnDatabase(environment: NodeJS.ProcessEnv, tool: string, example: string): void {
  if (readDatabaseUrl(environment) === undefined) return;
  throw new WrongUsageError(
    `DATABASE_URL or DATABASE_DIRECT_URL is set, and this command is for the embedded database in DATA_DIR. Expected neither; ` +
      `${tool} does it for a PostgreSQL of your own.\n${rightExample(example)}`,
  );
}
