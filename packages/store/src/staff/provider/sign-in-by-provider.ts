import type { StaffRole } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import { recordAccess } from '../../access/record-access.ts';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { isRoleOfAccount } from '../people/scopes-of-roles.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { endSessionsOf } from './end-sessions-of.ts';
import { takeInvitation } from './take-invitation.ts';

/** Whom a provider vouches for. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** The roles that the configuration gives to the person's groups. */
  readonly roles: readonly StaffRole[];
  /** When they proved who they are; null when the provider does not say. */
  readonly provenAt: Date | null;
  /** The provider's own session, if it names one. */
  readonly sid: string | null;
}

export interface ProviderSignIn {
  readonly identity: ProvenIdentity;
  /** The token of a one-time link that invited the person. */
  readonly invitation: string | undefined;
  readonly device: string | null;
}

export type SignedInByProvider =
  | { readonly kind: 'signed_in'; readonly token: string }
  /** `ended`: an administrator ended the person's access. `identity_taken`: the invited one is someone else already. */
  | { readonly kind: 'no_role' | 'ended' | 'link_not_valid' | 'identity_taken' };

interface Person {
  readonly id: string;
  readonly account_id: string | null;
  readonly ended_at: Date | null;
}

/**
 * Signs in whom the provider vouches for, under the roles that it gives them now. Someone new becomes a person of the
 * platform, or the one who was invited. Found by issuer and subject alone.
 */
export async function signInByProvider(store: Store, signIn: ProviderSignIn): Promise<SignedInByProvider> {
  const { identity, invitation, device } = signIn;
  return store.db.transaction().execute(async (trx): Promise<SignedInByProvider> => {
    // Of two first sign-ins at once, one makes the person.
    await sql`select pg_advisory_xact_lock(hashtextextended(${identity.subject}, 0))`.execute(trx);
    const known = await findPerson(trx, identity);
    if (known?.ended_at) return { kind: 'ended' };
    let person = known;
    if (invitation !== undefined) {
      const invited = await takeInvitation(store, trx, invitation, known?.id);
      if (typeof invited === 'string') return { kind: invited };
      person = invited;
    }
    const roles = person?.account_id ? identity.roles.filter(isRoleOfAccount) : [...identity.roles];
    if (roles.length === 0) {
      if (known) await shutOut(trx, known.id);
      return { kind: 'no_role' };
    }
    const { id: staffId, account_id: accountId } = person
      ? await follow(trx, person, identity, roles)
      : await make(trx, identity, roles);
    await trx
      .insertInto('staff_identity')
      .values({ issuer: identity.issuer, subject: identity.subject, staff_id: staffId })
      .onConflict((found) =>
        found.columns(['issuer', 'subject']).doUpdateSet({ signed_in_at: sql<Date>`now()` }),
      )
      .execute();
    const token = await beginSession(trx, store.vault, {
      staffId,
      accountId,
      way: 'provider',
      provenAt: identity.provenAt,
      device,
      provider: identity,
    });
    return { kind: 'signed_in', token };
  });
}

/** Whoever lost every role at the provider goes on in no older session, and begins none with a passkey. */
async function shutOut(trx: Transaction<Tables>, staffId: string): Promise<void> {
  await trx
    .updateTable('staff_identity')
    .set({ signed_in_at: null })
    .where('staff_id', '=', staffId)
    .execute();
  await endSessionsOf(trx, [staffId]);
}

function findPerson(
  trx: Transaction<Tables>,
  { issuer, subject }: ProvenIdentity,
): Promise<Person | undefined> {
  return trx
    .selectFrom('staff_identity')
    .innerJoin('staff', 'staff.id', 'staff_identity.staff_id')
    .select(['staff.id', 'account_id', 'ended_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate('staff')
    .executeTakeFirst();
}

/** Gives the person the name and roles that the provider gives them now, in every session. */
async function follow(
  trx: Transaction<Tables>,
  person: Person,
  { name }: ProvenIdentity,
  roles: StaffRole[],
): Promise<Person> {
  const changed = await trx
    .updateTable('staff')
    .set({ name: JSON.stringify(name), roles })
    .where('id', '=', person.id)
    .where(sql<boolean>`roles is distinct from ${roles}::text[]`)
    .returning('id')
    .executeTakeFirst();
  if (changed) await record(trx, person, 'staff.setRoles');
  else
    await trx
      .updateTable('staff')
      .set({ name: JSON.stringify(name) })
      .where('id', '=', person.id)
      .execute();
  return person;
}

async function make(trx: Transaction<Tables>, { name }: ProvenIdentity, roles: StaffRole[]): Promise<Person> {
  const person = { id: issueId('stf'), account_id: null, ended_at: null };
  await trx
    .insertInto('staff')
    .values({ id: person.id, name: JSON.stringify(name), roles })
    .execute();
  await record(trx, person, 'staff.add');
  return person;
}

/** The provider has nobody of ours to name: the person is on record as the one who did it. */
async function record(
  trx: Transaction<Tables>,
  { id, account_id }: Person,
  operation: 'staff.add' | 'staff.setRoles',
): Promise<void> {
  const caller = { keyId: id, accountId: account_id ?? DEFAULT_ACCOUNT_ID };
  await recordAccess(trx, { caller, operation, subjectId: id });
}
