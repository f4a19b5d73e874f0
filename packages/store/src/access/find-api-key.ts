import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../connection/is-database-unavailable.ts';
import { withoutFlush } from '../connection/role-settings.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import type { Quota } from '../tables/columns.ts';
import type { Caller, Session } from './caller.ts';

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
type FoundApiKey = { readonly kind: 'found'; readonly key: LiveKey } | { readonly kind: 'unknown' };

/** Finds the live key with this text. Records the use, to the minute. */
export async function findApiKey({ keyDb, vault }: Store, text: string): Promise<FoundApiKey> {
  if (!mayBeApiKey(text)) return { kind: 'unknown' };
  const hash = vault.index('api_key.hash', text);
  const row = await keyDb
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select([coveredOf('api_key').as('key'), coveredOf('account').as('account'), 'api_key.name'])
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
  const own = vault.macs.open('api_key', row.key);
  const account = vault.macs.open('account', row.account);
  // Compared here as well: a view could answer with another's row, which is right too.
  if (!own?.hash.equals(hash) || account?.id !== own.account_id) return { kind: 'unknown' };
  if (row.use_is_stale) await noteUse(keyDb, own.id);
  const key = {
    keyId: own.id,
    accountId: own.account_id,
    mode: account.mode,
    scopes: own.scopes,
    expiresAt: own.expires_at,
    suspended: account.suspended_at !== null,
    name: row.name === null ? null : (JSON.parse(row.name) as string),
    allowedCidrs: [account.allowed_cidrs, own.allowed_cidrs].filter((cidrs) => cidrs !== null),
    quotas: row.quotas ?? {},
    ...(own.verify_within && { verifyWithin: own.verify_within }),
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

const SECRET_BYTES = 20; // 160 bits
const BOOTSTRAP_FORM = /^[\x21-\x7e]{20,200}$/;
const ISSUED_FORM = /^ivk_(?:live|test)_[0-9a-f]{48}$/;

/** A new key: `ivk_`, the account's mode, 160 random bits and a CRC-32 of everything before it, in hex. */
export function createApiKeyText(mode: 'live' | 'test'): string {
  const body = `ivk_${mode}_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return body + checksum(body);
}

/**
 * Whether a text can be a key at all; also defines the format of `BOOTSTRAP_API_KEY`. The checksum exposes a mistyped
 * or invented key in the issued format without a database query. Any other text of 20–200 printable characters may be a
 * bootstrap key.
 */
export function mayBeApiKey(text: string): boolean {
  if (ISSUED_FORM.test(text)) return checksum(text.slice(0, -8)) === text.slice(-8);
  return BOOTSTRAP_FORM.test(text);
}

/** The part of a key that is shown after its creation. */
export function displayPrefix(text: string): string {
  return text.startsWith('ivk_') ? text.slice(0, 13) : `${text.slice(0, 4)}…`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
