import type { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../../connection/is-database-unavailable.ts';
import { withoutFlush } from '../../connection/without-flush.ts';
import type { Quota } from '../../limits/quota.ts';
import type { Store } from '../../open-store.ts';
import type { Session } from '../../staff/session.ts';
import type { Caller } from '../caller.ts';
import { mayBeApiKey } from './api-key-text.ts';

/** A live key, neither revoked nor expired when it was read; or a person who is signed in (see `findSession`). */
export interface LiveKey extends Caller {
  readonly scopes: readonly Scope[];
  /** What it may do besides where nothing is changed; absent for a key. */
  readonly readScopes?: readonly Scope[];
  /** The person's; absent for a key. */
  readonly session?: Session;
  /** Null when it never expires. */
  readonly expiresAt: Date | null;
  /** Its account is suspended: it is to be told so, and to be let do nothing. */
  readonly suspended: boolean;
  /** Networks: the caller's address is in one of each list. No list: from anywhere. */
  readonly allowedCidrs: readonly (readonly string[])[];
  /** What was set for its account, by policy. */
  readonly quotas: Readonly<Record<string, Quota>>;
}

/** The live key of this text; null for an unknown, revoked or expired one. Notes the use, to the minute. */
export async function findApiKey({ keyDb, vault }: Store, text: string): Promise<LiveKey | null> {
  if (!mayBeApiKey(text)) return null;
  const hash = vault.index('api_key.hash', text);
  const row = await keyDb
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['api_key.id', 'account_id', 'scopes', 'expires_at', 'mode'])
    .select(sql<boolean>`suspended_at is not null`.as('suspended'))
    .select(['api_key.allowed_cidrs', 'account.allowed_cidrs as account_cidrs'])
    .select(
      sql<Record<string, Quota> | null>`(
        select jsonb_object_agg(policy, jsonb_build_object('quota', quota, 'windowSeconds', window_seconds))
        from account_limit where account_limit.account_id = api_key.account_id)`.as('quotas'),
    )
    .select(
      sql<boolean>`last_used_at is null or last_used_at < now() - interval '1 minute'`.as('use_is_stale'),
    )
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  if (!row) return null;
  if (row.use_is_stale) await noteUse(keyDb, row.id);
  return {
    keyId: row.id,
    accountId: row.account_id,
    mode: row.mode,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    suspended: row.suspended,
    allowedCidrs: [row.account_cidrs, row.allowed_cidrs].filter((cidrs) => cidrs !== null),
    quotas: row.quotas ?? {},
  };
}

/**
 * The key holds whether its use is noted or not: a database that cannot be written must not refuse what only reads. And
 * all look-ups share one connection, so none may wait in it for a standby.
 */
async function noteUse(db: Store['keyDb'], id: string): Promise<void> {
  try {
    await sql`update api_key set last_used_at = now() where id = ${id} returning ${withoutFlush}`.execute(db);
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
  }
}
