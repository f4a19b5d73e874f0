import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { findRow } from '../../row-macs/covered-rows.ts';
import { beginSession } from '../sessions/begin-session.ts';

/** Hours that a passkey works after the last sign-in with the provider: whoever is removed there loses access here. */
const PROVIDER_HOURS = 12;

export interface PasskeySignIn {
  readonly passkeyId: string;
  /** How often the authenticator says that it was used, by a signature that was verified. */
  readonly signCount: number;
  /** Whether an identity provider decides who has access. */
  readonly needsProvider: boolean;
  readonly originSecret: string;
  /** The browser and system, in words; null when unknown. */
  readonly device: string | null;
}

export type SignedInByPasskey =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /**
   * `ended`: the person's access. `passkey_copied`: the count did not grow. `passkey_needs_provider`: the provider let
   * the person in too long ago, has signed them out since, or never knew them.
   */
  | { readonly kind: 'passkey_unknown' | 'ended' | 'passkey_copied' | 'passkey_needs_provider' };

/** Starts a session for the person of a passkey, whose signature was verified. */
export async function signInByPasskey(
  { db, vault }: Store,
  { passkeyId, signCount, needsProvider, originSecret, device }: PasskeySignIn,
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
    const session = { staffId, accountId, way: 'passkey', originSecret, device } as const;
    const token = await beginSession(trx, vault, session);
    return { kind: 'signed_in', token };
  });
}
