import type { Store } from '../../open-store.ts';
import { insertBootstrapKey } from '../keys/bootstrap-key.ts';
import { insertAccount } from './create-account.ts';

/** The test account made by the first start. A regular issued id, from the UUID after the nil one. */
const TEST_ACCOUNT_ID = 'acct_00000000000000000000000001';

/**
 * Creates the account `test`, unless it exists, and its key with every scope for test accounts only. So the reserved
 * member ids work at once, and experiments with the key never reach a payer.
 * @returns the key, to be shown once; null when the account existed.
 */
export async function ensureTestAccount(
  inside: Pick<Store, 'db' | 'vault'>,
  given: { readonly createWebhookSecret: () => string; readonly createKey: (mode: 'test') => string },
): Promise<string | null> {
  const { db, vault } = inside;
  const existing = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', TEST_ACCOUNT_ID)
    .executeTakeFirst();
  if (existing) return null;
  await insertAccount(db, vault, TEST_ACCOUNT_ID, {
    name: 'test',
    kind: 'platform',
    mode: 'test',
    webhookSecret: given.createWebhookSecret(),
  });
  const text = given.createKey('test');
  await insertBootstrapKey(inside, TEST_ACCOUNT_ID, text);
  return text;
}
