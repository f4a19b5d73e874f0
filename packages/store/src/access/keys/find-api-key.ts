import type { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../../connection/is-database-unavailable.ts';
import { withoutFlush } from '../../connection/without-flush.ts';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import type { Quota } from '../../tables/quota.ts';
import type { Caller } from '../caller.ts';
import type { Session } from '../session.ts';
import { mayBeApiKey } from './api-key-text.ts';

/** A live key, neither revoked nor expired when it was read; or a signed-in person (see `findSession`). */
export interface LiveKey extends Caller {
  readonly scopes: readonly Scope[];
  /** Additional scopes for operations that change nothing; absent for a key. */
  readonly readScopes?: readonly Scope[];
  /** The person's session; absent for a key. */
  readonly session?: Session;
  /** The key's name; null without one, absent for a session. */
  readonly name?: string | null;
  /** Null when it never expires. */
  readonly expiresAt: Date | null;
  /** Its account is suspended: every call is refused with that reason. */
  readonly suspended: boolean;
  /** Lists of networks: the caller's address must be in one network of each list. No lists means anywhere. */
  readonly allowedCidrs: readonly (readonly string[])[];
  /** Its account's own quotas, by policy. */
  readonly quotas: Readonly<Record<string, Quota>>;
}

/** `unknown`: no key has this text, or it was revoked, or it has expired, or it or its account was altered. */
export type FoundApiKey = { readonly kind: 'found'; readonly key: LiveKey } | { readonly kind: 'unknown' };

/** Finds the live key with this text. Records the use, to the minute. */
export async function findApiKey({ keyDb, vault }: Store, text: string): Promise<FoundApiKey> {
  if (!mayBeApiKey(text)) return { kind: 'unknown' };
  const hash = vault.index('api_key.hash', text);
  const row = await keyDb
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['api_key.id', 'account_id', 'scopes', 'expires_at', 'mode'])
    .select([coveredOf('api_key').as('covered'), coveredOf('account').as('account_covered')])
    .select(sql<boolean>`suspended_at is not null`.as('suspended'))
    .select('api_key.name')
    .select(['api_key.allowed_cidrs', 'account.allowed_cidrs as account_cidrs', 'verify_within'])
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
  if (!row) return { kind: 'unknown' };
  if (!vault.macs.verifies('api_key', row.covered) || !vault.macs.verifies('account', row.account_covered))
    return { kind: 'unknown' };
  if (row.use_is_stale) await noteUse(keyDb, row.id);
  const key = {
    keyId: row.id,
    accountId: row.account_id,
    mode: row.mode,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    suspended: row.suspended,
    name: row.name === null ? null : (JSON.parse(row.name) as string),
    allowedCidrs: [row.account_cidrs, row.allowed_cidrs].filter((cidrs) => cidrs !== null),
    quotas: row.quotas ?? {},
    ...(row.verify_within && { verifyWithin: row.verify_within }),
  };
  return { kind: 'found', key };
}

/**
 * Failing to record the use does not refuse the key: a database that cannot be written must not block reads. And all
 * look-ups share one connection, so none may wait for a standby in it.
 */
async function noteUse(db: Store['keyDb'], id: string): Promise<void> {
  try {
    await sql`update api_key set last_used_at = now() where id = ${id} returning ${withoutFlush}`.execute(db);
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
  }
}
