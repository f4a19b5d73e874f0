import type { StaffMember } from '@insurance-verification/schema';
import { withAccountName } from '../../access/accounts/account-name.ts';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, readNow } from '../../row-macs/covered-rows.ts';
import { letCallsLapse } from '../../verification/work/calls.ts';
import { toStaffMember } from './staff-view.ts';

export type EndedStaff =
  | { readonly kind: 'ended'; readonly member: StaffMember }
  | { readonly kind: 'not_found' | 'locks_caller_out' };

/**
 * Ends a person's access, with all their sessions and unused links. Idempotent: the first time stays.
 * `locks_caller_out`: nobody may end their own access.
 */
export async function endStaff(
  { db, vault }: Store,
  { caller, staffId }: { readonly caller: Caller; readonly staffId: string },
): Promise<EndedStaff> {
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  if (staffId === caller.keyId) return { kind: 'locks_caller_out' };
  return db.transaction().execute(async (trx) => {
    const inside = { db: trx, vault };
    const now = await readNow(trx);
    const [row] = await changeRows(inside, 'staff', {
      is: { id: staffId },
      where: within(caller, 'account_id'),
      set: ({ ended_at }) => ({ ended_at: ended_at ?? now }),
    });
    if (!row) return { kind: 'not_found' };
    await trx.deleteFrom('sign_in_link').where('staff_id', '=', staffId).execute();
    await changeRows(inside, 'staff_session', {
      is: { staff_id: staffId, ended_at: null },
      set: () => ({ ended_at: now }),
    });
    await letCallsLapse(trx, staffId);
    await recordAccess(trx, { caller, operation: 'staff.end', subjectId: staffId });
    return { kind: 'ended', member: toStaffMember(await withAccountName(trx, row)) };
  });
}
