import { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, signRows } from '../../row-macs/covered-rows.ts';
import { recordAccess } from '../record-access.ts';
import { displayPrefix } from './api-key-text.ts';

type Inside = Pick<Store, 'db' | 'vault'>;

/**
 * Revokes the other bootstrap keys of the account `default` and reopens the account for this one, also where somebody
 * altered its row: each covered column is set, so its MAC is right again. The audit log records it as
 * `keys.replaceFirst` on the new key, without a caller: whoever does this controls the database or the service's
 * environment.
 */
export async function replaceBootstrapKey(inside: Inside, accountId: string, text: string): Promise<void> {
  const { db, vault } = inside;
  const hash = vault.index('api_key.hash', text);
  await changeRows(inside, 'api_key', {
    where: sql<boolean>`account_id = ${accountId} and bootstrap and revoked_at is null and hash <> ${hash}`,
    set: sql`revoked_at = now()`,
  });
  await db
    .updateTable('account')
    .set({ kind: 'platform', mode: 'live', suspended_at: null, allowed_cidrs: null })
    .where('id', '=', accountId)
    .execute();
  await signRows(inside, 'account', sql<boolean>`id = ${accountId}`);
  const keyId = await insertBootstrapKey(inside, accountId, text);
  await recordAccess(db, { caller: null, operation: 'keys.replaceFirst', subjectId: keyId });
}

/**
 * Inserts a key with every scope. A text that was a key before becomes valid again with the defaults of a new key:
 * changing the environment back to it is deliberate. The key never expires and is bound to no network, because an
 * operator needs it when every other key is gone.
 * @returns the key's id.
 */
export async function insertBootstrapKey(inside: Inside, accountId: string, text: string): Promise<string> {
  const { db, vault } = inside;
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
  await signRows(inside, 'api_key', sql<boolean>`id = ${id}`);
  return id;
}
