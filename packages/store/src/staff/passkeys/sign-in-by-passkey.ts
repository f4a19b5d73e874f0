import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { findRow } from '../../row-macs/covered-rows.ts';
import { beginSession } from '../sessions/begin-session.ts';

/**
 * Hours for which a passkey works after a sign-in with the provider: whoever is removed there must lose access here.
 */
const PROVIDER_HOURS = 12;

export interface PasskeySignIn {
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

export type SignedInByPasskey =
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
      .select([
        'staff.id as staffId',
        'staff.account_id as accountId',
        'staff.ended_at',
        'passkey.sign_count',
      ])
      .select(coveredOf('staff').as('covered'))
      .where('passkey.id', '=', passkeyId)
      .forUpdate()
      .executeTakeFirst();
    if (!passkey || !vault.macs.verifies('staff', passkey.covered)) return { kind: 'passkey_unknown' };
    const { staffId, accountId } = passkey;
    if (passkey.ended_at !== null) return { kind: 'ended' };
    // An authenticator that does not count says 0 for ever.
    const counted = Number(passkey.sign_count);
    if ((counted > 0 || signCount > 0) && signCount <= counted) return { kind: 'passkey_copied' };
    const knownBy = sql<boolean>`staff_id = ${staffId}
      and signed_in_at > now() - make_interval(hours => ${PROVIDER_HOURS})`;
    if (needsProvider && !(await findRow({ db: trx, vault }, 'staff_identity', knownBy)))
      return { kind: 'passkey_needs_provider' };
    await trx
      .updateTable('passkey')
      .set({ sign_count: String(signCount), used_at: sql<Date>`now()` })
      .where('id', '=', passkeyId)
      .execute();
    const session = { staffId, accountId, way: 'passkey', originSecret, device, address } as const;
    const token = await beginSession(trx, vault, session);
    return { kind: 'signed_in', token };
  });
}
