import type { AccountList } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { rightRows } from '../../row-macs/covered-rows.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { toAccount } from './create-account.ts';

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
      .where(within(caller, 'id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'accounts.list' });
  return {
    items: rightRows(vault.macs, 'account', rows).map(toAccount),
    next_cursor,
  };
}
