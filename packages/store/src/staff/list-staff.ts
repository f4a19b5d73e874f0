import type { StaffMember } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readPage } from '../page.ts';
import { toStaffMember } from './staff-view.ts';

/** The people within the caller's reach, those who have left too, newest first. */
export async function listStaff(
  { db }: Store,
  caller: Caller,
  page: PageOptions,
): Promise<Page<StaffMember>> {
  const { rows, nextCursor } = await readPage(
    db.selectFrom('staff').selectAll().where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'staff.list' });
  return { items: rows.map(toStaffMember), nextCursor };
}
