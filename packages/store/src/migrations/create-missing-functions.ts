import { type Kysely, sql } from 'kysely';
import type { DatabaseFunction } from '../functions/database-function.ts';

/**
 * Creates the functions that the database lacks and leaves all others as they are. It compares names alone, since a
 * name says the text.
 * @returns the names of those it created.
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
