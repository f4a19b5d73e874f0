import type { StaffMember, StaffRole } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId, issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { isRoleOfAccount } from './scopes-of-roles.ts';
import { toStaffMember } from './staff-view.ts';

export interface NewStaff {
  readonly caller: Caller;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** Null for the platform's. */
  readonly accountId: string | null;
}

export type AddedStaff =
  | { readonly kind: 'added'; readonly member: StaffMember }
  /** `role_needs_platform`: the role acts across accounts, so a person of one account may not have it. */
  | { readonly kind: 'account_not_found' | 'role_needs_platform' };

/** Adds a person. A caller who reaches only test accounts may add people only to those. */
export async function addStaff({ db }: Store, staff: NewStaff): Promise<AddedStaff> {
  const { caller, name, accountId } = staff;
  const roles = [...new Set(staff.roles)];
  return db.transaction().execute(async (trx) => {
    if (accountId === null ? caller.mode === 'test' : !(await isWithinReach(trx, caller, accountId)))
      return { kind: 'account_not_found' };
    if (accountId !== null && !roles.every(isRoleOfAccount)) return { kind: 'role_needs_platform' };
    const id = issueId('stf');
    const row = await trx
      .insertInto('staff')
      .values({ id, name: JSON.stringify(name), account_id: accountId, roles })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAccess(trx, { caller, operation: 'staff.add', subjectId: id });
    return { kind: 'added', member: toStaffMember(row) };
  });
}

async function isWithinReach(db: Store['db'], caller: Caller, accountId: string): Promise<boolean> {
  if (!isIssuedId('acct', accountId)) return false;
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where(within(caller, 'id'))
    .executeTakeFirst();
  return account !== undefined;
}
