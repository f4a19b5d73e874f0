import { isDeepStrictEqual } from 'node:util';
import type { StaffRole } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import { type AccessDetails, recordAccess } from '../access/record-access.ts';
import { othersThan } from '../access/two-people.ts';
import type { Vault } from '../encryption/vault.ts';
import { issueId } from '../issued-id.ts';
import { PAIR_LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { changeRows, insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { isRoleOfAccount } from './roles.ts';
import { beginSession } from './sessions.ts';
import { findLink, useUpLink } from './sign-in-link.ts';
import { endSessionsOf } from './sign-out-by-provider.ts';

/** The claims of a verified ID token, and what the configuration makes of them. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** The roles that `OIDC_ROLES` maps the person's groups to. */
  readonly roles: readonly StaffRole[];
  /** When the provider authenticated the person (`auth_time`); null without that claim. */
  readonly provenAt: Date | null;
  /** The session at the provider (`sid`); null without that claim. */
  readonly sid: string | null;
}

interface ProviderSignIn {
  readonly identity: ProvenIdentity;
  /** The token of a one-time link that invited the person. */
  readonly invitation: string | undefined;
  readonly originSecret: string;
  readonly device: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

type SignedInByProvider =
  | { readonly kind: 'signed_in'; readonly token: string }
  /**
   * `no_role`: no group of the person has a role. `ended`: an administrator ended the person's access, or somebody altered its row.
   * `link_not_valid`: the invitation is unknown, used or expired. `identity_taken`: the identity belongs to another
   * person than the invited one.
   */
  | { readonly kind: 'no_role' | 'ended' | 'link_not_valid' | 'identity_taken' };

interface Inside {
  readonly db: Transaction<Tables>;
  readonly vault: Vault;
}

interface Person {
  readonly id: string;
  readonly account_id: string | null;
  readonly ended_at: Date | null;
  /** Who invited the person to this identity; null without an invitation. */
  readonly linkBy: string[] | null;
}

/**
 * Signs in a person by their identity at the provider, with the roles that it gives them now. A new identity creates a
 * person of the platform, or is added to the invited person. People are found only by issuer and subject.
 */
export async function signInByProvider(store: Store, signIn: ProviderSignIn): Promise<SignedInByProvider> {
  const { identity, invitation, originSecret, device, address } = signIn;
  return store.db.transaction().execute(async (trx): Promise<SignedInByProvider> => {
    await sql`
      select pg_advisory_xact_lock(${PAIR_LOCKS.providerSubject}, hashtext(${identity.subject}))`.execute(
      trx,
    );
    const inside = { db: trx, vault: store.vault };
    const known = await findPerson(inside, identity);
    if (known === 'altered' || known?.ended_at) return { kind: 'ended' };
    let person = known;
    if (invitation !== undefined) {
      const invited = await takeInvitation(store, trx, invitation, known?.id);
      if (typeof invited === 'string') return { kind: invited };
      // An identity that was the person's before stays as it is.
      person = { ...invited, linkBy: known ? known.linkBy : othersThan(invited.id, invited.linkBy) };
    }
    const roles = person?.account_id ? identity.roles.filter(isRoleOfAccount) : [...identity.roles];
    if (roles.length === 0) {
      if (known) await revokeAccess(inside, known.id);
      return { kind: 'no_role' };
    }
    const {
      id: staffId,
      account_id: accountId,
      linkBy,
    } = person ? await follow(inside, person, identity, roles) : await make(inside, identity, roles);
    const subject = { issuer: identity.issuer, subject: identity.subject, staff_id: staffId };
    const signedIn = { signed_in_at: await readNow(trx) };
    if (known) await changeRows(inside, 'staff_identity', { is: subject, set: () => signedIn });
    else await insertRow(inside, 'staff_identity', { ...subject, ...signedIn, link_by: linkBy });
    const token = await beginSession(trx, store.vault, {
      staffId,
      accountId,
      way: 'provider',
      linkBy,
      provenAt: identity.provenAt,
      originSecret,
      device,
      address,
      provider: identity,
    });
    return { kind: 'signed_in', token };
  });
}

/** Ends all sessions of a person without any role left, and their sign-ins with a passkey. */
async function revokeAccess(inside: Inside, staffId: string): Promise<void> {
  await changeRows(inside, 'staff_identity', {
    is: { staff_id: staffId },
    set: () => ({ signed_in_at: null }),
  });
  await endSessionsOf(inside, [staffId]);
}

/** `altered`: taken for absent, the person would come in as somebody new, also one whose access has ended. */
async function findPerson(
  { db, vault }: Inside,
  { issuer, subject }: ProvenIdentity,
): Promise<Person | 'altered' | undefined> {
  const row = await db
    .selectFrom('staff_identity')
    .innerJoin('staff', 'staff.id', 'staff_identity.staff_id')
    .select([coveredOf('staff_identity').as('identity'), coveredOf('staff').as('staff')])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const identity = vault.macs.open('staff_identity', row.identity);
  const person = vault.macs.open('staff', row.staff);
  const isRight = identity?.issuer === issuer && identity.subject === subject;
  return isRight && person?.id === identity.staff_id ? { ...person, linkBy: identity.link_by } : 'altered';
}

/** Updates the name and roles of a person, which takes effect in all their sessions. */
async function follow(
  inside: Inside,
  person: Person,
  { name }: ProvenIdentity,
  roles: StaffRole[],
): Promise<Person> {
  let before = roles;
  const set = (row: { readonly roles: StaffRole[] }) => {
    before = row.roles;
    return { roles };
  };
  await changeRows(inside, 'staff', { is: { id: person.id }, set });
  if (!isDeepStrictEqual(before, roles))
    await record(inside.db, person, 'staff.setRoles', { before: { roles: before }, after: { roles } });
  await inside.db
    .updateTable('staff')
    .set({ name: JSON.stringify(name) })
    .where('id', '=', person.id)
    .execute();
  return person;
}

async function make(inside: Inside, { name }: ProvenIdentity, roles: StaffRole[]): Promise<Person> {
  const row = { id: issueId('stf'), account_id: null, ended_at: null };
  const person = { ...row, linkBy: null };
  await insertRow(inside, 'staff', {
    ...row,
    made_by: null,
    name: JSON.stringify(name),
    roles,
    allowed_cidrs: null,
    verify_within: null,
  });
  await record(inside.db, person, 'staff.add', { before: null, after: { name, roles, account_id: null } });
  return person;
}

/** Records the change with the person as its own actor, since no administrator made it. */
async function record(
  trx: Transaction<Tables>,
  { id, account_id }: Person,
  operation: 'staff.add' | 'staff.setRoles',
  details: AccessDetails,
): Promise<void> {
  const caller = { keyId: id, accountId: account_id ?? DEFAULT_ACCOUNT_ID };
  await recordAccess(trx, { caller, operation, subjectId: id, details });
}

/** The invited person of a one-time link. */
interface Invited {
  readonly id: string;
  readonly account_id: string | null;
  readonly ended_at: null;
  /** Who made the invitation. */
  readonly linkBy: string[] | null;
}

/**
 * Deletes the one-time link of an invitation and returns its person.
 * @param knownId the person whom the identity belongs to already; undefined for a new identity.
 */
async function takeInvitation(
  { vault }: Store,
  trx: Transaction<Tables>,
  token: string,
  knownId: string | undefined,
): Promise<Invited | 'link_not_valid' | 'identity_taken'> {
  const link = await findLink({ db: trx, vault }, token, { locks: true });
  if (!link) return 'link_not_valid';
  if (knownId !== undefined && knownId !== link.staffId) return 'identity_taken';
  await useUpLink({ db: trx, vault }, token);
  return { id: link.staffId, account_id: link.accountId, ended_at: null, linkBy: link.madeBy };
}
