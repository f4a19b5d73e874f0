import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { findRow } from '../row-macs/covered-rows.ts';
import { hashOfCredential, type KeptCredential, openCredential } from './passkeys.ts';
import { beginSession } from './sessions.ts';

/**
 * Hours for which a passkey works after a sign-in with the provider: a person removed there must lose access here.
 */
const PROVIDER_HOURS = 12;

interface PasskeySignIn {
  readonly passkeyId: string;
  /**
   * The signature counter of the verified assertion (Web Authentication, section 6.1.1); 0 for an authenticator without
   * one.
   */
  readonly signCount: number;
  /** Whether the service has an identity provider, which then decides who has access. */
  readonly needsProvider: boolean;
  readonly originSecret: string;
  /** The browser and system, in words; null when unknown. */
  readonly device: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

type SignedInByPasskey =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /**
   * `ended`: the person's access has ended. `passkey_copied`: the counter did not grow, so there may be a copy.
   * `passkey_needs_provider`: the person last signed in with the provider more than 12 hours ago, was signed out there
   * since, or never signed in there.
   */
  | { readonly kind: 'passkey_unknown' | 'ended' | 'passkey_copied' | 'passkey_needs_provider' };

/** Begins a session for the person of a passkey, after its signature was verified. */
export async function signInByPasskey(
  { db, vault }: Store,
  { passkeyId, signCount, needsProvider, originSecret, device, address }: PasskeySignIn,
): Promise<SignedInByPasskey> {
  return db.transaction().execute(async (trx): Promise<SignedInByPasskey> => {
    const passkey = await trx
      .selectFrom('passkey')
      .innerJoin('staff', 'staff.id', 'passkey.staff_id')
      .select(['passkey.staff_id', 'passkey.credential', 'passkey.sign_count'])
      .select(coveredOf('staff').as('covered'))
      .where('passkey.id', '=', passkeyId)
      .forUpdate()
      .executeTakeFirst();
    const person = passkey && vault.macs.open('staff', passkey.covered);
    if (!person || person.id !== passkey.staff_id) return { kind: 'passkey_unknown' };
    // It opens for its own person only: the row may have been turned to another since it was found.
    const { linkBy = null } = await openCredential(vault, { ...passkey, id: passkeyId });
    const { id: staffId, account_id: accountId } = person;
    if (person.ended_at !== null) return { kind: 'ended' };
    // An authenticator that does not count says 0 for ever.
    const counted = Number(passkey.sign_count);
    if ((counted > 0 || signCount > 0) && signCount <= counted) return { kind: 'passkey_copied' };
    const known = {
      is: { staff_id: staffId },
      where: sql<boolean>`signed_in_at > now() - make_interval(hours => ${PROVIDER_HOURS})`,
    };
    if (needsProvider && !(await findRow({ db: trx, vault }, 'staff_identity', known)))
      return { kind: 'passkey_needs_provider' };
    await trx
      .updateTable('passkey')
      .set({ sign_count: String(signCount), used_at: sql<Date>`now()` })
      .where('id', '=', passkeyId)
      .execute();
    const session = { staffId, accountId, linkBy, way: 'passkey', originSecret, device, address } as const;
    const token = await beginSession(trx, vault, session);
    return { kind: 'signed_in', token };
  });
}

type FoundPasskey =
  | {
      readonly kind: 'found';
      readonly passkeyId: string;
      readonly staffId: string;
      readonly credential: KeptCredential;
    }
  | { readonly kind: 'passkey_unknown' };

/** Finds a passkey by its credential id, in base64url, before sign-in. */
export async function findPasskey({ db, vault }: Store, credentialId: string): Promise<FoundPasskey> {
  const row = await db
    .selectFrom('passkey')
    .select(['id', 'staff_id', 'credential'])
    .where('hash', '=', hashOfCredential(vault, credentialId))
    .executeTakeFirst();
  if (!row) return { kind: 'passkey_unknown' };
  const credential = await openCredential(vault, row);
  return { kind: 'found', passkeyId: row.id, staffId: row.staff_id, credential };
}
