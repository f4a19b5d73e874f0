import {
  type EndedStaffMember,
  type StaffList,
  type StaffMember,
  StaffRole,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { detailsOf, settleEndpoints } from '../access/end-holder.ts';
import { accountNameOf, withAccountName } from '../access/list-accounts.ts';
import { maySucceed } from '../access/live-holder.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { actorsOf } from '../access/two-people.ts';
import { madeEndpointIds } from '../events/made-endpoints.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { changeRows, findRow, insertRow, readNow, rightRows } from '../row-macs/covered-rows.ts';
import { isRoleOfAccount, type StaffBounds, toStaffMember } from './roles.ts';

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
      .select([coveredOf('staff').as('covered'), madeEndpointIds('staff.id').as('endpoint_ids')])
      .select([
        invitedUntil.as('invited_until'),
        passkeyCount.as('passkey_count'),
        lastSeen.as('last_seen_at'),
      ])
      .where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'staff.list' });
  return {
    items: rightRows(vault.macs, 'staff', rows).map((row) => ({
      ...toStaffMember(row),
      invited_until: row.invited_until?.toISOString() ?? null,
      passkey_count: row.passkey_count,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
    })),
    next_cursor,
  };
}

/** A link is deleted when it is used. */
const invitedUntil = sql<Date | null>`(
  select max(link.expires_at) from sign_in_link as link where link.staff_id = staff.id and link.expires_at > now())`;

const passkeyCount = sql<number>`(select count(*)::int from passkey where passkey.staff_id = staff.id)`;

/** The last use of a session; of one that is removed, since it is over, the sign-in with a passkey or a provider. */
const lastSeen = sql<Date | null>`greatest(
  (select max(session.used_at) from staff_session as session where session.staff_id = staff.id),
  (select max(greatest(passkey.created_at, passkey.used_at)) from passkey where passkey.staff_id = staff.id),
  (select max(identity.signed_in_at) from staff_identity as identity where identity.staff_id = staff.id))`;

interface NewStaff extends StaffBounds {
  readonly caller: Caller;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** Null for the platform's. */
  readonly accountId: string | null;
}

type AddedStaff =
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
    if (accountId === KNOWN_ANSWERS_ACCOUNT_ID) return { kind: 'account_not_found' };
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
    return {
      kind: 'added',
      member: toStaffMember({ ...(await withAccountName(trx, row)), endpoint_ids: [] }),
    };
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

interface EndOfStaff {
  readonly caller: Caller;
  readonly staffId: string;
  /** The key or person that takes over the endpoints that they made; null or absent: they are paused. */
  readonly successorId?: string | null | undefined;
}

type EndedStaff =
  | { readonly kind: 'ended'; readonly member: EndedStaffMember }
  /** The successor is no live key or person of their account. */
  | { readonly kind: 'no_successor' }
  | { readonly kind: 'not_found' | 'locks_caller_out' };

/**
 * Ends a person's access, with all their sessions and unused links, and pauses or hands over the endpoints that they
 * made. Idempotent: the first time stays. `locks_caller_out`: a person may not end their own access.
 */
export async function endStaff(
  { db, vault }: Store,
  { caller, staffId, successorId = null }: EndOfStaff,
): Promise<EndedStaff> {
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  if (staffId === caller.keyId) return { kind: 'locks_caller_out' };
  return db.transaction().execute(async (trx): Promise<EndedStaff> => {
    const inside = { db: trx, vault };
    const choice = { is: { id: staffId }, where: within(caller, 'account_id') };
    const before = await findRow(inside, 'staff', { ...choice, lock: 'for no key update' });
    if (!before) return { kind: 'not_found' };
    if (successorId !== null && !(await maySucceed(inside, successorId, before)))
      return { kind: 'no_successor' };
    const now = await readNow(trx);
    const [row] = await changeRows(inside, 'staff', {
      ...choice,
      set: ({ ended_at }) => ({ ended_at: ended_at ?? now }),
    });
    if (!row) return { kind: 'not_found' };
    await trx.deleteFrom('sign_in_link').where('staff_id', '=', staffId).execute();
    await changeRows(inside, 'staff_session', {
      is: { staff_id: staffId, ended_at: null },
      set: () => ({ ended_at: now }),
    });
    const endpoints = await settleEndpoints(inside, { id: staffId, successorId });
    await recordAccess(trx, {
      caller,
      operation: 'staff.end',
      subjectId: staffId,
      ...(endpoints.length > 0 && { details: detailsOf(successorId, endpoints) }),
    });
    const endpoint_ids = endpoints.filter(({ made_by }) => made_by === staffId).map((one) => one.endpoint_id);
    const member = toStaffMember({ ...(await withAccountName(trx, row)), endpoint_ids });
    return { kind: 'ended', member: { ...member, endpoints } };
  });
}

/** The person signed in by a start on one machine. A regular issued id, from the nil UUID. */
export const FIRST_STAFF_ID = 'stf_00000000000000000000000000';

/**
 * Ensures that the first person exists, of the platform and with every role. An existing one is left unchanged, even if
 * ended or with other roles.
 */
export async function ensureFirstStaff({ db, vault }: Store): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.defaultAccount}::bigint)`.execute(trx);
    const known = await trx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', FIRST_STAFF_ID)
      .executeTakeFirst();
    if (known) return;
    await insertRow({ db: trx, vault }, 'staff', {
      id: FIRST_STAFF_ID,
      name: JSON.stringify('First person'),
      account_id: null,
      roles: [...StaffRole.options],
      allowed_cidrs: null,
      verify_within: null,
      ended_at: null,
      made_by: null,
    });
  });
}
