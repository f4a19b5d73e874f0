import { isDeepStrictEqual } from 'node:util';
import type { Scope, StaffMember, StaffRole, VerifyWithin } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { withAccountName } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { actorsOf } from '../access/two-people.ts';
import { readMadeIds } from '../events/made-endpoints.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { changeRows, findRow, someRow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';

interface RoleFact {
  readonly scopes: readonly Scope[];
  /** The role changes nothing. */
  readonly readsOnly?: true;
  /** The role acts on one account, so a person of that account may have it. */
  readonly ofAccount?: true;
}

/** Each role's scopes. An admin sees and rotates secrets, which are not patient data. */
const ROLES: Readonly<Record<StaffRole, RoleFact>> = {
  viewer: { scopes: ['requests'], readsOnly: true, ofAccount: true },
  requester: { scopes: ['requests'], ofAccount: true },
  verifier: { scopes: ['verify'] },
  operator: { scopes: ['operate'] },
  admin: { scopes: ['admin', 'secrets'] },
  auditor: { scopes: ['audit'] },
  privacy: { scopes: ['privacy'] },
};

/** The scopes of a person with these roles: for all operations, and additionally for those that change nothing. */
export function scopesOfRoles(roles: readonly StaffRole[]): { scopes: Scope[]; readScopes: Scope[] } {
  const facts = roles.map((role) => ROLES[role]);
  const scopes = new Set(facts.filter(({ readsOnly }) => !readsOnly).flatMap((fact) => fact.scopes));
  const readScopes = new Set(facts.flatMap((fact) => fact.scopes).filter((scope) => !scopes.has(scope)));
  return { scopes: [...scopes], readScopes: [...readScopes] };
}

/** Whether a person of an account may have the role: the others act across accounts. */
export function isRoleOfAccount(role: StaffRole): boolean {
  return ROLES[role].ofAccount === true;
}

interface NewRoles extends StaffBounds {
  readonly caller: Caller;
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
}

type SetRoles =
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
    const endpoint_ids = await readMadeIds(trx, staffId);
    return { kind: 'set', member: toStaffMember({ ...(await withAccountName(trx, row)), endpoint_ids }) };
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

/** What a person's roles are bounded by; undefined leaves it as it is, null takes it away. */
export interface StaffBounds {
  /** The networks they work from: only people of the platform, those of an account have their account's. */
  readonly allowedCidrs?: readonly string[] | null | undefined;
  readonly verifyWithin?: VerifyWithin | null | undefined;
}

/** A person as an admin sees it. */
export function toStaffMember(
  row: Selectable<Tables['staff']> & {
    /** A JSON string; null for the platform's people. */
    readonly account_name: string | null;
    readonly endpoint_ids: string[];
  },
): StaffMember {
  return {
    staff_id: row.id,
    name: JSON.parse(row.name) as string,
    account_id: row.account_id,
    account_name: row.account_name === null ? null : (JSON.parse(row.account_name) as string),
    roles: row.roles,
    allowed_cidrs: row.allowed_cidrs,
    verify_within: row.verify_within,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    endpoint_ids: row.endpoint_ids,
  };
}
