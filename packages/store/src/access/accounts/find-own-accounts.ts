import type { AccountList } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { rightRows } from '../../row-macs/covered-rows.ts';
import type { Caller } from '../caller.ts';
import { nameContains } from '../name-contains.ts';
import { recordAccess } from '../record-access.ts';
import { toAccount } from './create-account.ts';

export interface OwnAccountSearch extends PageOptions {
  /** A person. */
  readonly caller: Caller;
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
}

/**
 * The accounts that a person may act for, newest first: their own alone, or for a person of the platform each that is
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
