import { type StaffList, type StaffMember, StaffRole } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountNameOf, withAccountName } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { actorsOf } from '../access/two-people.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { changeRows, findRow, insertRow, readNow, rightRows } from '../row-macs/covered-rows.ts';
import { letCallsLapse } from '../verification/work/calls.ts';
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

type EndedStaff =
  | { readonly kind: 'ended'; readonly member: StaffMember }
  | { readonly kind: 'not_found' | 'locks_caller_out' };

/**
 * Ends a person's access, with all their sessions and unused links. Idempotent: the first time stays.
 * `locks_caller_out`: a person may not end their own access.
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
