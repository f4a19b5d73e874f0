import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/**
 * The name of the account in a column, a JSON string, for a query's select: a probe of the primary key for each row
 * that it answers. Null where the column is.
 */
export const accountNameOf = <Name extends string | null = string>(column: string): RawBuilder<Name> =>
  sql<Name>`(select named.name from account as named where named.id = ${sql.ref(column)})`;

/** A row that was just written, with the name of its account, a JSON string. */
export async function withAccountName<Row extends { readonly account_id: string | null }>(
  db: Kysely<Tables>,
  row: Row,
): Promise<Row & { readonly account_name: Row['account_id'] }> {
  const { account_id: accountId } = row;
  if (accountId === null) return { ...row, account_name: accountId };
  const account = await db
    .selectFrom('account')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { ...row, account_name: account.name };
}
