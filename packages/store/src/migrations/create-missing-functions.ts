import { type Kysely, sql } from 'kysely';
import type { DatabaseFunction } from '../functions/database-function.ts';

/**
 * Creates the functions that the database lacks and leaves all others unchanged. Comparing names is enough, since a
 * name contains a hash of the text.
 * @returns the names of the created functions.
 */
export async function createMissingFunctions(
  db: Kysely<unknown>,
  functions: readonly DatabaseFunction[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${functions.map(({ name }) => name)}::text[]) as name
    where to_regproc(name) is null`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  const missing = functions.filter(({ name }) => names.has(name));
  for (const { definition } of missing) await sql.raw(definition).execute(db);
  return missing.map(({ name }) => name);
}
