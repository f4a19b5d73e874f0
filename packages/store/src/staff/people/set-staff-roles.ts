import { isDeepStrictEqual } from 'node:util';
import type { StaffMember, StaffRole } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import { withAccountName } from '../../access/accounts/account-name.ts';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { actorsOf } from '../../access/two-people.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, findRow, someRow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { isRoleOfAccount } from './scopes-of-roles.ts';
import type { StaffBounds } from './staff-bounds.ts';
import { toStaffMember } from './staff-view.ts';

export interface NewRoles extends StaffBounds {
  readonly caller: Caller;
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
}

export type SetRoles =
  | { readonly kind: 'set'; readonly member: StaffMember }
  /** `locks_caller_out`: the caller would cease to be an admin, and could not undo it. */
  | { readonly kind: 'not_found' | 'locks_caller_out' }
  /** The caller would have a role more, or a bound less, and another administrator can give it. */
  | { readonly kind: 'another_admin_required' }
  | { readonly kind: 'role_needs_platform' }
  | { readonly kind: 'networks_need_platform' };

/** Replaces a person's roles, and their bounds where any are given. Effective from their next call on. */
export async function setStaffRoles(
  { db, vault }: Store,
  { caller, staffId, ...given }: NewRoles,
): Promise<SetRoles> {
  const roles = [...new Set(given.roles)];
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  if (staffId === caller.keyId && !roles.includes('admin')) return { kind: 'locks_caller_out' };
  return db.transaction().execute(async (trx) => {
    const inside = { db: trx, vault };
    const choice = { is: { id: staffId }, where: within(caller, 'account_id') };
    const member = await findRow(inside, 'staff', { ...choice, lock: 'for update' });
    if (!member) return { kind: 'not_found' };
    const { allowedCidrs = member.allowed_cidrs, verifyWithin = member.verify_within } = given;
    const isMore =
      roles.some((role) => !member.roles.includes(role)) ||
      !isDeepStrictEqual(verifyWithin, member.verify_within) ||
      (allowedCidrs === null && member.allowed_cidrs !== null);
    // Also through a key of theirs, or in a session that their link began.
    const isOwn = isMore && (await actorsOf(inside, caller)).includes(staffId);
    if (isOwn && (await hasOtherAdmin(inside, staffId))) return { kind: 'another_admin_required' };
    if (member.account_id !== null && !roles.every(isRoleOfAccount)) return { kind: 'role_needs_platform' };
    if (member.account_id !== null && allowedCidrs) return { kind: 'networks_need_platform' };
    const [row] = await changeRows(inside, 'staff', {
      ...choice,
      set: () => ({
        roles,
        allowed_cidrs: allowedCidrs && [...allowedCidrs],
        verify_within: verifyWithin,
      }),
    });
    if (!row) return { kind: 'not_found' };
    await recordAccess(trx, {
      caller,
      operation: 'staff.setRoles',
      subjectId: staffId,
      details: { before: setIn(member), after: setIn(row) },
    });
    return { kind: 'set', member: toStaffMember(await withAccountName(trx, row)) };
  });
}

const hasOtherAdmin = (inside: Pick<Store, 'db' | 'vault'>, staffId: string): Promise<boolean> =>
  someRow(
    inside,
    'staff',
    ({ id, account_id, ended_at, roles }) =>
      id !== staffId && account_id === null && ended_at === null && roles.includes('admin'),
  );

const setIn = ({
  roles,
  allowed_cidrs,
  verify_within,
}: Pick<Selectable<Tables['staff']>, 'roles' | 'allowed_cidrs' | 'verify_within'>) => ({
  roles,
  allowed_cidrs,
  verify_within,
});
