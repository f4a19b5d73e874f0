import type { Store } from '../../open-store.ts';
import { DEFAULT_ACCOUNT_ID } from '../accounts/ensure-default-account.ts';
import { createApiKeyText } from './api-key-text.ts';
import { replaceBootstrapKey } from './bootstrap-key.ts';

export type ReplacedFirstKey =
  /** The key's text, to be shown once. */
  | { readonly kind: 'replaced'; readonly key: string }
  /** The database has no account `default` yet. */
  | { readonly kind: 'not_found' };

/**
 * Creates another first key, for an operator who lost it but controls the database: the previous one is revoked, and
 * the account `default` is reopened. No other key changes.
 */
export async function replaceFirstKey({ db, vault }: Store): Promise<ReplacedFirstKey> {
  return db.transaction().execute(async (trx): Promise<ReplacedFirstKey> => {
    const account = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', DEFAULT_ACCOUNT_ID)
      .executeTakeFirst();
    if (!account) return { kind: 'not_found' };
    const text = createApiKeyText('live');
    await replaceBootstrapKey({ db: trx, vault }, DEFAULT_ACCOUNT_ID, text);
    return { kind: 'replaced', key: text };
  });
}
