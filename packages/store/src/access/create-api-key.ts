import type { CreatedApiKey, Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { createApiKeyText, displayPrefix } from './api-key-text.ts';
import { toApiKey } from './api-key-view.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';

export interface NewApiKey {
  readonly caller: Caller;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly name: string | null;
  readonly expiresAt: Date | null;
}

/**
 * `expired_at_birth`: it would never work, by the database's clock, as for every other key. `scope_needs_platform`:
 * `verify` and `operate` act across accounts, so only a platform account's key has them.
 */
export async function createApiKey(
  { db, vault }: Store,
  key: NewApiKey,
): Promise<CreatedApiKey | 'account_not_found' | 'scope_needs_platform' | 'expired_at_birth'> {
  const account = isIssuedId('acct', key.accountId)
    ? await db
        .selectFrom('account')
        .select(['kind', 'mode'])
        .select(sql<boolean | null>`${key.expiresAt}::timestamptz <= now()`.as('expired'))
        .where('id', '=', key.accountId)
        .executeTakeFirst()
    : undefined;
  if (!account) return 'account_not_found';
  if (account.kind !== 'platform' && key.scopes.some((scope) => scope !== 'requests'))
    return 'scope_needs_platform';
  if (account.expired) return 'expired_at_birth';
  const text = createApiKeyText(account.mode);
  const row = await db.transaction().execute(async (trx) => {
    await recordAccess(trx, { caller: key.caller, operation: 'keys.create' });
    return trx
      .insertInto('api_key')
      .values({
        id: issueId('key'),
        account_id: key.accountId,
        hash: vault.index('api_key.hash', text),
        prefix: displayPrefix(text),
        name: key.name === null ? null : JSON.stringify(key.name),
        scopes: [...new Set(key.scopes)],
        expires_at: key.expiresAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { ...toApiKey(row), key: text };
}
