import type { Store } from '../open-store.ts';
import { createApiKeyText } from './api-key-text.ts';
import { replaceBootstrapKey } from './bootstrap-key.ts';
import { DEFAULT_ACCOUNT_ID } from './ensure-default-account.ts';

/**
 * Another first key, for whoever has lost it and has the database: the one before ends, and the account `default` is
 * open again. No other key changes.
 * @returns the key, to be shown once; null in a database without that account.
 */
export async function replaceFirstKey({ db, vault }: Store): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', DEFAULT_ACCOUNT_ID)
      .executeTakeFirst();
    if (!account) return null;
    const text = createApiKeyText('live');
    await replaceBootstrapKey({ db: trx, vault }, DEFAULT_ACCOUNT_ID, text);
    return text;
  });
}
