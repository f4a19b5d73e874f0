import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a name, stored as a JSON string, has these letters in it, in any case. No index serves it: it is read row by
 * row.
 */
export function nameContains(column: RawBuilder<unknown>, sought: string): RawBuilder<boolean> {
  const written = JSON.stringify(sought).slice(1, -1);
  return sql<boolean>`strpos(lower(${column}), lower(${written})) > 0`;
}
