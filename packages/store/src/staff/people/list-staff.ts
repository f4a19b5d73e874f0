import type { StaffList } from '@insurance-verification/schema';
import { accountNameOf } from '../../access/accounts/account-name.ts';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { rightRows } from '../../row-macs/covered-rows.ts';
import { toStaffMember } from './staff-view.ts';

/** The people within the caller's reach, including those who have left, newest first. */
export async function listStaff(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<StaffList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('staff')
      .selectAll()
      .select(accountNameOf<string | null>('account_id').as('account_name'))
      .select(coveredOf('staff').as('covered'))
      .where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'staff.list' });
  return {
    items: rightRows(vault.macs, 'staff', rows).map(toStaffMember),
    next_cursor,
  };
}
