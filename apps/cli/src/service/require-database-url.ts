import { rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { readDatabaseUrl } from './config.ts';

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
