import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { changeRows } from '../../row-macs/covered-rows.ts';
import { endSessionsOf } from './end-sessions-of.ts';

/** The claims of a verified logout token (OpenID Connect Back-Channel Logout 1.0). */
export interface ProviderLogout {
  readonly issuer: string;
  /** The session at the provider (`sid`); undefined: all sessions of the subject. */
  readonly sid: string | undefined;
  readonly subject: string | undefined;
  /** The id of the token (`jti`). */
  readonly jti: string;
  /** When the token is refused as too old anyway, so that its `jti` need not be kept. */
  readonly expiresAt: Date;
}

/**
 * Ends the sessions that a logout token names: those of its `sid`, or without one all of its subject. `replayed`: the
 * token was used before.
 */
export async function signOutByProvider(
  { db, vault }: Store,
  { issuer, sid, subject, jti, expiresAt }: ProviderLogout,
): Promise<{ readonly kind: 'signed_out' | 'replayed' }> {
  return db.transaction().execute(async (trx) => {
    const hash = vault.index('used_logout_token.hash', `${issuer}\0${jti}`);
    const first = await trx
      .insertInto('used_logout_token')
      .values({ hash, expires_at: expiresAt })
      .onConflict((found) => found.doNothing())
      .returning('hash')
      .executeTakeFirst();
    if (!first) return { kind: 'replayed' };
    const inside = { db: trx, vault };
    const people = await changeRows(inside, 'staff_identity', {
      is: { issuer },
      where: sql<boolean>`(${subject ?? null}::text is null or subject = ${subject ?? null})
        and (${sid ?? null}::text is null or staff_id in (select staff_id from staff_session as session
          where session.issuer = ${issuer} and session.provider_sid = ${sid ?? null}))`,
      set: () => ({ signed_in_at: null }),
    });
    await endSessionsOf(
      inside,
      people.map(({ staff_id }) => staff_id),
      sid === undefined ? {} : { sid },
    );
    return { kind: 'signed_out' };
  });
}
