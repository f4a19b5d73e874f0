import {
  createMasterKey,
  createApiKey,
  DEFAULT_ACCOUNT_ID,
  ensureDefaultAccount,
  openStore,
  revokeApiKey,
  type Store,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthenticator } from '../../src/access/create-authenticator.ts';

const operator = {
  keyId: 'key_00000000000000000000000000',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'live',
  acrossAccounts: true,
} as const;

async function aStoreWithAKey(): Promise<{ store: Store; key: { key: string; key_id: string } }> {
  const { connectionString } = await createTestDatabase();
  const store = await openStore({ connectionString, encryptionKey: createMasterKey('k1') });
  onTestFinished(() => store.close());
  await ensureDefaultAccount(store, {
    apiKey: undefined,
    webhookSecret: `whsec_${'A'.repeat(32)}`,
    createWebhookSecret: () => '',
    createKey: null,
  });
  const made = await createApiKey(store, {
    caller: operator,
    accountId: DEFAULT_ACCOUNT_ID,
    scopes: ['requests'],
    name: null,
    expiresAt: null,
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  return { store, key: made.key };
}

// A revocation clears the cache. Broke: it failed look-ups in flight, with a 500 for callers of any key.
test('a look-up under way survives the revocation of another key', async () => {
  const { store, key } = await aStoreWithAKey();
  const authenticator = createAuthenticator(store);
  const asked = authenticator.authenticate(key.key);
  authenticator.forget();
  expect(await asked).toMatchObject({ keyId: key.key_id, scopes: ['requests'] });
});

test('after a revocation nothing that was known before counts, not even a look-up that was under way', async () => {
  const { store, key } = await aStoreWithAKey();
  const authenticator = createAuthenticator(store);
  expect(await authenticator.authenticate(key.key)).not.toBeNull();
  const asked = authenticator.authenticate(key.key);
  await revokeApiKey(store, { caller: operator, keyId: key.key_id });
  authenticator.forget();
  await asked;
  expect(await authenticator.authenticate(key.key)).toBeNull();
});

test('a failed look-up is not remembered', async () => {
  const { store, key } = await aStoreWithAKey();
  const closed = await aStoreWithAKey();
  await closed.store.close();
  const stores = [closed.store.keyDb, store.keyDb];
  const flickering: Store = Object.defineProperty({ ...store }, 'keyDb', {
    get: () => stores.shift() ?? store.keyDb,
  });
  const authenticator = createAuthenticator(flickering);
  await expect(authenticator.authenticate(key.key)).rejects.toThrow();
  expect(await authenticator.authenticate(key.key)).toMatchObject({ keyId: key.key_id });
});

test('texts that can be no key are recognised without the database', async () => {
  const { store } = await aStoreWithAKey();
  await store.close();
  const authenticator = createAuthenticator(store);
  for (const text of [
    undefined,
    '',
    'short',
    'x'.repeat(4000),
    `ivk_live_${'0'.repeat(48)}`,
    'with a space in it, and long',
  ]) {
    expect(await authenticator.authenticate(text)).toBeNull();
  }
});
