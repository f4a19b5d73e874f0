import { type RawBuilder, sql } from 'kysely';
import { accountNameOf } from './list-accounts.ts';

/**
 * The present name of the account, key or person whose id a column has, a JSON string: they are few, and each is found by
 * the primary key of its table. Null for another id, and for a key without a name.
 */
export const subjectNameOf = (column: string): RawBuilder<string | null> => {
  const id = sql.ref(column);
  return sql`case split_part(${id}, '_', 1)
    when 'acct' then ${accountNameOf(column)}
    when 'key' then (select named.name from api_key as named where named.id = ${id})
    when 'stf' then (select named.name from staff as named where named.id = ${id}) end`;
};
