import { randomBytes } from 'node:crypto';
import { type Caller, createAccount, openStore } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { onTestFinished } from 'vitest';

/**
 * A live account with its `caller`, in its own store, which is closed after the test.
 * @param database by default a new one.
 */
export async function aLiveAccount(database?: { readonly connectionString: string }) {
  const { connectionString } = database ?? (await createTestDatabase());
  const store = await openStore({
    connectionString,
    encryptionKey: `k1:${randomBytes(32).toString('base64')}`,
  });
  onTestFinished(() => store.close());
  const operator = { keyId: 'key_1', accountId: 'acct_1', mode: 'live', acrossAccounts: true } as const;
  const made = await createAccount(store, {
    caller: operator,
    name: 'Clinic',
    kind: 'provider',
    mode: 'live',
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  });
  if (made.kind !== 'created') throw new Error('A live caller reaches every account.');
  const caller: Caller = { keyId: 'key_2', accountId: made.account.account_id, mode: 'live' };
  return { store, connectionString, caller };
}
