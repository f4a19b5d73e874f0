import { sql, type Transaction } from 'kysely';
import { recordAccesses } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import { changeRows, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { letCallsLapse } from '../verification/work/calls.ts';

/** The claims of a verified logout token (OpenID Connect Back-Channel Logout 1.0). */
interface ProviderLogout {
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

/**
 * Ends sessions of these people, in every process at once; with `sid`, only those of that session at the provider, and
 * those of passkeys.
 */
export async function endSessionsOf(
  inside: { readonly db: Transaction<Tables>; readonly vault: Vault },
  staffIds: readonly string[],
  only: { readonly sid?: string } = {},
): Promise<void> {
  if (staffIds.length === 0) return;
  const { sid = null } = only;
  const now = await readNow(inside.db);
  const ended = await changeRows(inside, 'staff_session', {
    // A passkey's session rests on the provider's, whichever that was.
    is: { ended_at: null },
    where: sql<boolean>`staff_id = any (${staffIds})
      and (${sid}::text is null or provider_sid = ${sid} or way = 'passkey')`,
    set: () => ({ ended_at: now }),
  });
  for (const staffId of new Set(ended.map(({ staff_id }) => staff_id)))
    await letCallsLapse(inside.db, staffId);
  await recordAccesses(
    inside.db,
    ended.map(({ id }) => ({ caller: null, operation: 'sessions.end', subjectId: id })),
  );
}

/** Where what is encrypted belongs: a browser's cookie, and no row of ours. */
const PLACE = 'cookie:login';

/** Minutes for which a sign-in with the provider may last. */
export const LOGIN_MINUTES = 10;

/** The state of a sign-in with the provider, which the browser keeps in the encrypted login cookie. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The secret of the pages that began the sign-in, which the session is bound to. */
  readonly originSecret: string;
  /** The path of the console to redirect to after the sign-in. */
  readonly to: string;
  /** Whether the provider must authenticate the person again (`prompt=login`, `max_age`). */
  readonly fresh: boolean;
  /** The token of a one-time link that invited the person. */
  readonly invitation?: string | undefined;
}

/**
 * Encrypts the state for the cookie, with its expiry.
 * @returns the value of the cookie, in base64url.
 */
export async function encryptLogin(
  { vault }: Store,
  secrets: LoginSecrets,
): Promise<{ readonly cookie: string }> {
  const text = JSON.stringify({ ...secrets, until: Date.now() + LOGIN_MINUTES * 60_000 });
  return { cookie: (await vault.encrypt('system', PLACE, text)).toString('base64url') };
}

type OpenedLogin =
  | { readonly kind: 'found'; readonly secrets: LoginSecrets }
  /** Not encrypted by this service, or more than ten minutes ago. */
  | { readonly kind: 'none' };

/** Opens the value of a login cookie. */
export async function openLogin({ vault }: Store, cookie: string): Promise<OpenedLogin> {
  const encrypted = Buffer.from(cookie, 'base64url');
  const opened = await decryptOrNull(
    vault.decryptJson<LoginSecrets & { until: number }>('system', PLACE, encrypted),
  );
  if (!opened) return { kind: 'none' };
  const { until, ...secrets } = opened;
  return until > Date.now() ? { kind: 'found', secrets } : { kind: 'none' };
}
