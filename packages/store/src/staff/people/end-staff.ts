import type { StaffMember } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { letCallsLapse } from '../../verification/work/calls/end-call.ts';
import { toStaffMember } from './staff-view.ts';

export type EndedStaff =
  | { readonly kind: 'ended'; readonly member: StaffMember }
  | { readonly kind: 'not_found' | 'locks_caller_out' };

/**
 * Ends a person's access, with all their sessions and unused links. Idempotent: the first time stays.
 * `locks_caller_out`: nobody may end their own access.
 */
export async function endStaff(
  { db }: Store,
  { caller, staffId }: { readonly caller: Caller; readonly staffId: string },
): Promise<EndedStaff> {
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  if (staffId === caller.keyId) return { kind: 'locks_caller_out' };
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('staff')
      .set({ ended_at: sql<Date>`coalesce(ended_at, now())` })
      .where('id', '=', staffId)
      .where(within(caller, 'account_id'))
      .returningAll()
      .executeTakeFirst();
    if (!row) return { kind: 'not_found' };
    await trx.deleteFrom('sign_in_link').where('staff_id', '=', staffId).execute();
    await trx
      .updateTable('staff_session')
      .set({ ended_at: sql<Date>`now()` })
      .where('staff_id', '=', staffId)
      .where('ended_at', 'is', null)
      .execute();
    await letCallsLapse(trx, staffId);
    await recordAccess(trx, { caller, operation: 'staff.end', subjectId: staffId });
    return { kind: 'ended', member: toStaffMember(row) };
  });
}
