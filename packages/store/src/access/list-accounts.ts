import type { AccountList } from '@insurance-verification/schema';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { type Covered, coveredOf } from '../row-macs/covered-columns.ts';
import { readRows, rightRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import type { Caller } from './caller.ts';
import { toAccount } from './create-account.ts';
import { nameContains } from './name-contains.ts';
import { within } from './reach.ts';
import { recordAccess } from './record-access.ts';
import { CONFIRMABLE_DAYS } from './two-people.ts';

const askedRetention = sql<Covered | null>`(
  select ${coveredOf('retention_asking')} from retention_asking
  where retention_asking.account_id = account.id
    and asked_at > now() - make_interval(days => ${sql.lit(CONFIRMABLE_DAYS)}))`;

/** The accounts within the caller's reach, newest first. */
export async function listAccounts(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<AccountList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('account')
      .selectAll()
      .select(coveredOf('account').as('covered'))
      .select(askedRetention.as('asked'))
      .where(within(caller, 'id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'accounts.list' });
  return {
    items: rightRows(vault.macs, 'account', rows).map((row) =>
      toAccount(row, (row.asked && vault.macs.open('retention_asking', row.asked)?.days) ?? null),
    ),
    next_cursor,
  };
}

interface OwnAccountSearch extends PageOptions {
  /** A person. */
  readonly caller: Caller;
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
}

/**
 * The accounts that a person may act for, newest first: only their own, or for a person of the platform each that is
 * not suspended, whichever of them they act for now.
 */
export async function findOwnAccounts(
  { db, vault }: Store,
  { caller, name, ...page }: OwnAccountSearch,
): Promise<AccountList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('account')
      .selectAll()
      .select(coveredOf('account').as('covered'))
      .where('suspended_at', 'is', null)
      .where(
        sql<boolean>`exists (select from staff
          where staff.id = ${caller.keyId} and coalesce(staff.account_id, account.id) = account.id)`,
      )
      // Few thousands of them: read one by one.
      .where(nameContains(sql.ref('name'), name ?? '')),
    page,
  );
  await recordAccess(db, { caller, operation: 'sessions.accounts' });
  return {
    items: rightRows(vault.macs, 'account', rows).map(toAccount),
    next_cursor,
  };
}

/** The oldest test account within the caller's reach that is not suspended, or the named one. */
export async function findTestAccount(
  store: Store,
  { caller, accountId: named }: { readonly caller: Caller; readonly accountId?: string | undefined },
): Promise<{ readonly kind: 'found'; readonly accountId: string } | { readonly kind: 'not_found' }> {
  const accounts = await readRows(store, 'account', {
    is: { mode: 'test', suspended_at: null },
    where: within(caller, 'id'),
  });
  const ids = accounts.map(({ id }) => id).filter((id) => named === undefined || id === named);
  const [accountId] = ids.toSorted();
  return accountId === undefined ? { kind: 'not_found' } : { kind: 'found', accountId };
}

/**
 * The name of the account in a column, a JSON string, for a query's select: a probe of the primary key for each row
 * that it answers. Null where the column is.
 */
export const accountNameOf = <Name extends string | null = string>(column: string): RawBuilder<Name> =>
  sql<Name>`(select named.name from account as named where named.id = ${sql.ref(column)})`;

/** The mode of the account in a column, likewise. */
export const accountModeOf = <Mode extends 'live' | 'test' | null = 'live' | 'test'>(
  column: string,
): RawBuilder<Mode> =>
  sql<Mode>`(select named.mode from account as named where named.id = ${sql.ref(column)})`;

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
