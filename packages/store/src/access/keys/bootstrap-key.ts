import { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { recordAccess } from '../record-access.ts';
import { displayPrefix } from './api-key-text.ts';

type Inside = Pick<Store, 'db' | 'vault'>;

/**
 * Revokes the account's other bootstrap keys and reopens the account for this one. The audit log records it as
 * `keys.replaceFirst` on the new key, without a caller: whoever does this controls the database or the service's
 * environment.
 */
export async function replaceBootstrapKey(inside: Inside, accountId: string, text: string): Promise<void> {
  const { db, vault } = inside;
  await db
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('bootstrap', '=', true)
    .where('revoked_at', 'is', null)
    .where('hash', '!=', vault.index('api_key.hash', text))
    .execute();
  await db
    .updateTable('account')
    .set({ suspended_at: null, allowed_cidrs: null })
    .where('id', '=', accountId)
    .execute();
  const keyId = await insertBootstrapKey(inside, accountId, text);
  await recordAccess(db, { caller: null, operation: 'keys.replaceFirst', subjectId: keyId });
}

/**
 * Inserts a key with every scope. A text that was a key before becomes valid again with the defaults of a new key:
 * changing the environment back to it is deliberate. The key never expires and is bound to no network, because an
 * operator needs it when every other key is gone.
 * @returns the key's id.
 */
export async function insertBootstrapKey(
  { db, vault }: Inside,
  accountId: string,
  text: string,
): Promise<string> {
  const { id } = await db
    .insertInto('api_key')
    .values({
      id: issueId('key'),
      account_id: accountId,
      hash: vault.index('api_key.hash', text),
      prefix: displayPrefix(text),
      name: JSON.stringify(text.startsWith('ivk_test_') ? 'first test key' : 'first live key'),
      scopes: [...Scope.options],
      bootstrap: true,
    })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        revoked_at: null,
        expires_at: null,
        allowed_cidrs: null,
        bootstrap: true,
        account_id: (row) => row.ref('excluded.account_id'),
        scopes: (row) => row.ref('excluded.scopes'),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
