import type { StaffMember, StaffRole } from '@insurance-verification/schema';
import { withAccountName } from '../../access/accounts/account-name.ts';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { actorsOf } from '../../access/two-people.ts';
import { isIssuedId, issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { findRow, insertRow } from '../../row-macs/covered-rows.ts';
import { isRoleOfAccount } from './scopes-of-roles.ts';
import type { StaffBounds } from './staff-bounds.ts';
import { toStaffMember } from './staff-view.ts';

export interface NewStaff extends StaffBounds {
  readonly caller: Caller;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** Null for the platform's. */
  readonly accountId: string | null;
}

export type AddedStaff =
  | { readonly kind: 'added'; readonly member: StaffMember }
  /**
   * `role_needs_platform`: the role acts across accounts, so a person of one account may not have it.
   * `networks_need_platform`: a person of an account works from that account's networks.
   */
  | { readonly kind: 'account_not_found' | 'role_needs_platform' | 'networks_need_platform' };

/** Adds a person. A caller who reaches only test accounts may add people only to those. */
export async function addStaff({ db, vault }: Store, staff: NewStaff): Promise<AddedStaff> {
  const { caller, name, accountId, allowedCidrs, verifyWithin } = staff;
  const roles = [...new Set(staff.roles)];
  return db.transaction().execute(async (trx) => {
    const inside = { db: trx, vault };
    if (accountId === null ? caller.mode === 'test' : !(await isWithinReach(inside, caller, accountId)))
      return { kind: 'account_not_found' };
    if (accountId !== null && !roles.every(isRoleOfAccount)) return { kind: 'role_needs_platform' };
    if (accountId !== null && allowedCidrs) return { kind: 'networks_need_platform' };
    const id = issueId('stf');
    const row = await insertRow(inside, 'staff', {
      id,
      name: JSON.stringify(name),
      account_id: accountId,
      roles,
      allowed_cidrs: allowedCidrs ? [...allowedCidrs] : null,
      verify_within: verifyWithin ?? null,
      ended_at: null,
      made_by: await actorsOf(inside, caller),
    });
    await recordAccess(trx, {
      caller,
      operation: 'staff.add',
      subjectId: id,
      details: {
        before: null,
        after: {
          name,
          roles,
          account_id: accountId,
          allowed_cidrs: row.allowed_cidrs,
          verify_within: row.verify_within,
        },
      },
    });
    return { kind: 'added', member: toStaffMember(await withAccountName(trx, row)) };
  });
}

async function isWithinReach(
  inside: Pick<Store, 'db' | 'vault'>,
  caller: Caller,
  accountId: string,
): Promise<boolean> {
  if (!isIssuedId('acct', accountId)) return false;
  const choice = { is: { id: accountId }, where: within(caller, 'id') };
  return (await findRow(inside, 'account', choice)) !== undefined;
}
