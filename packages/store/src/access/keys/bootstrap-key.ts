import { Scope } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, insertRow, overwriteRow, readNow } from '../../row-macs/covered-rows.ts';
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
  const now = await readNow(db);
  await changeRows(inside, 'api_key', {
    is: { account_id: accountId, bootstrap: true, revoked_at: null },
    where: sql<boolean>`hash <> ${hash}`,
    set: () => ({ revoked_at: now }),
  });
  await overwriteRow(inside, 'account', {
    id: accountId,
    kind: 'platform',
    mode: 'live',
    suspended_at: null,
    allowed_cidrs: null,
  });
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
  const hash = inside.vault.index('api_key.hash', text);
  const row = {
    account_id: accountId,
    scopes: [...Scope.options],
    bootstrap: true,
    expires_at: null,
    revoked_at: null,
    allowed_cidrs: null,
  };
  const [known] = await changeRows(inside, 'api_key', { is: { hash }, set: () => row });
  if (known) return known.id;
  await inside.db.deleteFrom('api_key').where('hash', '=', hash).execute(); // one that was altered
  const { id } = await insertRow(inside, 'api_key', {
    ...row,
    id: issueId('key'),
    hash,
    created_by: null,
    made_by: null,
    verify_within: null,
    prefix: displayPrefix(text),
    name: JSON.stringify(text.startsWith('ivk_test_') ? 'first test key' : 'first live key'),
  });
  return id;
}
