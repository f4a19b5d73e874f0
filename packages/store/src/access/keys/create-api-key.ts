import type { CreatedApiKey, Scope, VerifyWithin } from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import { isIssuedId, issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { findRow, insertRow, readNow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { actorsOf } from '../two-people.ts';
import { createApiKeyText, displayPrefix } from './api-key-text.ts';
import { toApiKey } from './api-key-view.ts';

export interface NewApiKey {
  readonly caller: Caller;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly name: string | null;
  /** Null means never. Undefined means in a year, by the database's clock. */
  readonly expiresAt: Date | null | undefined;
  /** The networks it works from; null or absent means anywhere. */
  readonly allowedCidrs?: readonly string[] | null;
  /** What its scope `verify` is kept to; null or absent means nothing. */
  readonly verifyWithin?: VerifyWithin | null | undefined;
}

/**
 * A fault of a new key. `scope_needs_platform`: all scopes except `requests` and `secrets` act across accounts, so only
 * a platform account's key may have them. `expired_at_birth`: it would never work, by the database's clock, as for
 * every key. `expires_after_year_9999`: in UTC, though perhaps not in the given offset; RFC 3339 cannot write a later
 * year.
 */
export type ApiKeyFault =
  | 'account_not_found'
  | 'scope_needs_platform'
  | 'expired_at_birth'
  | 'expires_after_year_9999';

/** The scopes open to any account's key: they act only on the key's own account. */
const ownScopes: ReadonlySet<Scope> = new Set(['requests', 'secrets']);

export type ApiKeyCreation =
  | { readonly kind: 'created'; readonly key: CreatedApiKey }
  /** All faults, in the order of the key's fields. */
  | { readonly kind: 'faulty'; readonly faults: readonly ApiKeyFault[] };

/** Creates a key. Its text is in the answer and nowhere else. */
export async function createApiKey(store: Store, key: NewApiKey): Promise<ApiKeyCreation> {
  const { db, vault } = store;
  const account = isIssuedId('acct', key.accountId)
    ? await findRow(store, 'account', { is: { id: key.accountId }, where: within(key.caller, 'id') })
    : undefined;
  const faults: ApiKeyFault[] = [];
  if (!account) faults.push('account_not_found');
  else if (account.kind !== 'platform' && key.scopes.some((scope) => !ownScopes.has(scope)))
    faults.push('scope_needs_platform');
  if (key.expiresAt && (await isPast(db, key.expiresAt))) faults.push('expired_at_birth');
  if (key.expiresAt && key.expiresAt.getUTCFullYear() > 9999) faults.push('expires_after_year_9999');
  if (!account || faults.length > 0) return { kind: 'faulty', faults };
  const text = createApiKeyText(account.mode);
  const made = await db.transaction().execute(async (trx) => {
    const keyId = issueId('key');
    const now = await readNow(trx);
    const inserted = await insertRow({ db: trx, vault }, 'api_key', {
      id: keyId,
      account_id: key.accountId,
      hash: vault.index('api_key.hash', text),
      prefix: displayPrefix(text),
      name: key.name === null ? null : JSON.stringify(key.name),
      scopes: [...new Set(key.scopes)],
      bootstrap: false,
      created_at: now,
      expires_at: key.expiresAt === undefined ? yearAfter(now) : key.expiresAt,
      revoked_at: null,
      allowed_cidrs: key.allowedCidrs ? [...key.allowedCidrs] : null,
      created_by: key.caller.keyId,
      made_by: await actorsOf({ db: trx, vault }, key.caller),
      verify_within: key.verifyWithin ?? null,
    });
    const row = { ...inserted, account_name: account.name };
    const { account_id, name, scopes, expires_at, allowed_cidrs, verify_within } = toApiKey(row, key.caller);
    await recordAccess(trx, {
      caller: key.caller,
      operation: 'keys.create',
      subjectId: keyId,
      details: {
        before: null,
        after: { account_id, name, scopes, expires_at, allowed_cidrs, verify_within },
      },
    });
    return row;
  });
  return { kind: 'created', key: { ...toApiKey(made, key.caller), key: text } };
}

function yearAfter(now: Date): Date {
  const later = new Date(now);
  later.setUTCFullYear(now.getUTCFullYear() + 1);
  return later;
}

async function isPast(db: Kysely<Tables>, instant: Date): Promise<boolean> {
  const { past } = await db
    .selectNoFrom(sql<boolean>`${instant}::timestamptz <= now()`.as('past'))
    .executeTakeFirstOrThrow();
  return past;
}
