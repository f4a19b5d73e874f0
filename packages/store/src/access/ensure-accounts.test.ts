import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aWebhookSecret } from '../../test/ground/stages.ts';
import { theKey } from '../../test/ground/the-stored.ts';
import {
  createApiKey,
  createApiKeyText,
  DEFAULT_ACCOUNT_ID,
  ensureDefaultAccount,
  getWebhookSecret,
  listAudit,
  openStore,
  replaceFirstKey,
  revokeApiKey,
  rotateWebhookSecret,
  type Store,
} from '../index.ts';
import { createTestDatabase } from '../testing/index.ts';
import type { DefaultAccount } from './ensure-accounts.ts';

const { open, encryptionKey } = await openTestStores();
const none: DefaultAccount = {
  apiKey: undefined,
  webhookSecret: undefined,
  createWebhookSecret: aWebhookSecret,
  createKey: createApiKeyText,
};
/** The answer of a start that created no key. */
const noKeys = { live: null, test: null };
const caller = { keyId: 'key_1', accountId: DEFAULT_ACCOUNT_ID, mode: 'live', acrossAccounts: true } as const;
const everyScope = {
  accountId: DEFAULT_ACCOUNT_ID,
  scopes: ['requests', 'secrets', 'verify', 'operate', 'admin', 'audit', 'privacy'],
};

/** Creates the first key's replacement. */
async function anotherFirstKey(store: Store): Promise<string> {
  const replaced = await replaceFirstKey(store);
  if (replaced.kind !== 'replaced') throw new Error(replaced.kind);
  return replaced.key;
}

/** Two stores on a database without a previous start. */
async function aFirstStart() {
  const { connectionString } = await createTestDatabase();
  return Promise.all([open({ connectionString }), open({ connectionString })]);
}

// Without it the first start would show no key, and nobody could make a first request.
test('the first start makes a key with every scope, the next ones make none', async () => {
  const [store] = await aFirstStart();
  const { live, test: tests } = await ensureDefaultAccount(store, none);
  expect(live).toMatch(/^ivk_live_/);
  expect(await theKey(store, live ?? '')).toMatchObject(everyScope);
  expect(tests).toMatch(/^ivk_test_/);
  expect(await theKey(store, tests ?? '')).toMatchObject({ scopes: everyScope.scopes, mode: 'test' });
  const { current } = await getWebhookSecret(store, { caller });
  expect(await ensureDefaultAccount(store, none)).toEqual(noKeys);
  expect(await ensureDefaultAccount(store, none)).toEqual(noKeys);
  expect(await theKey(store, live ?? '')).toMatchObject(everyScope);
  expect(await getWebhookSecret(store, { caller })).toEqual({
    current,
    previous: null,
    previous_valid_until: null,
  });
});

// Broke: the environment named a clinic's key, which worked with the clinic's scopes only, or was revoked.
test('a text that was another key before becomes the key of the default account with every scope', async () => {
  const [store] = await aFirstStart();
  await ensureDefaultAccount(store, none);
  const clinic = await anAccount(store);
  const before = { caller, accountId: clinic.accountId, scopes: ['requests'], name: null } as const;
  const made = await createApiKey(store, { ...before, expiresAt: new Date('2999-01-01') });
  if (made.kind !== 'created') throw new Error(made.kind);
  const { key, key_id: keyId } = made.key;
  await revokeApiKey(store, { caller, keyId });
  await ensureDefaultAccount(store, { ...none, apiKey: key });
  expect(await theKey(store, key)).toMatchObject({ ...everyScope, expiresAt: null });
});

// Without it processes that start together would print several keys, and the operator might trust the wrong one.
test('ten first starts at once make one key', async () => {
  const [store, rival] = await aFirstStart();
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) => ensureDefaultAccount(index % 2 ? store : rival, none)),
  );
  expect(made.filter(({ live }) => live !== null)).toHaveLength(1);
  expect(made.filter(({ test: tests }) => tests !== null)).toHaveLength(1);
});

// Broke: a production start printed a key, and a worker's start created one that nobody was ever shown.
test('where a key cannot be shown it is not made, and the next start that can show it makes it', async () => {
  const [store] = await aFirstStart();
  expect(await ensureDefaultAccount(store, { ...none, createKey: null })).toEqual(noKeys);
  expect((await getWebhookSecret(store, { caller })).current).toMatch(/^whsec_/);
  const { live } = await ensureDefaultAccount(store, none);
  const { keyId } = (await theKey(store, live ?? '')) ?? {};
  await revokeApiKey(store, { caller, keyId: keyId ?? '' });
  expect(await ensureDefaultAccount(store, none)).toEqual(noKeys); // a restart does not undo a revocation
});

// Without it an operator who loses the first key, and made no other, could recover only through SQL.
test('a lost first key is replaced: the one before ends, and its account is open again', async () => {
  const [store] = await aFirstStart();
  expect(await replaceFirstKey(store)).toEqual({ kind: 'not_found' });
  const { live, test: tests } = await ensureDefaultAccount(store, none);
  await store.db
    .updateTable('account')
    .set({ suspended_at: new Date() })
    .where('id', '=', DEFAULT_ACCOUNT_ID)
    .execute();
  const another = await anotherFirstKey(store);
  expect(await theKey(store, live ?? '')).toBeNull();
  expect(await theKey(store, another)).toMatchObject({ ...everyScope, expiresAt: null });
  expect(await theKey(store, tests ?? '')).toMatchObject({ mode: 'test' });
});

// Broke: someone with the database revoked a key and reopened a suspended account, and the audit did not show it.
test('a first key that takes the place of another is audited, without a key’s name', async () => {
  const [store] = await aFirstStart();
  await ensureDefaultAccount(store, none);
  const replaced = async (key: string) => {
    const { keyId } = (await theKey(store, key)) ?? {};
    const { items } = await listAudit(store, { caller, limit: 10, operation: 'keys.replaceFirst' });
    expect(items[0]).toMatchObject({ subject_id: keyId, key_id: null, account_id: null });
    return items.length;
  };
  expect(await replaced(await anotherFirstKey(store))).toBe(1);
  await ensureDefaultAccount(store, { ...none, apiKey: 'a-given-bootstrap-key' });
  expect(await replaced('a-given-bootstrap-key')).toBe(2);
  await ensureDefaultAccount(store, { ...none, apiKey: 'a-given-bootstrap-key' });
  expect(await replaced('a-given-bootstrap-key')).toBe(2); // a restart changes nothing
});

// Without it BOOTSTRAP_API_KEY would not work, would be printed, or would stay valid after a change.
test('a given key is used, is never answered, and a changed one takes its place', async () => {
  const [store] = await aFirstStart();
  const [first, second] = ['first-bootstrap-key-1', 'second-bootstrap-key-2'];
  expect(await ensureDefaultAccount(store, { ...none, apiKey: first })).toEqual(noKeys);
  expect(await theKey(store, first)).toMatchObject(everyScope);
  expect(await ensureDefaultAccount(store, { ...none, apiKey: second })).toEqual(noKeys);
  expect(await theKey(store, first)).toBeNull();
  expect(await theKey(store, second)).toMatchObject(everyScope);
  expect(await ensureDefaultAccount(store, { ...none, apiKey: first })).toEqual(noKeys);
  expect(await theKey(store, first)).toMatchObject(everyScope);
  expect(await theKey(store, second)).toBeNull();
});

// Without it the key printed at the first start would stay valid beside the given one.
test('a given key replaces the made one', async () => {
  const [store] = await aFirstStart();
  const { live, test: tests } = await ensureDefaultAccount(store, none);
  await ensureDefaultAccount(store, { ...none, apiKey: 'a-given-bootstrap-key' });
  expect(await theKey(store, live ?? '')).toBeNull();
  expect(await theKey(store, tests ?? '')).toMatchObject({ mode: 'test' });
});

// Without it a rolling restart with a new key would leave two keys, or none.
test('processes that start at once with the same new key end with that one', async () => {
  const [store, rival] = await aFirstStart();
  await ensureDefaultAccount(store, { ...none, apiKey: 'an-old-bootstrap-key' });
  const given = { ...none, apiKey: 'a-new-bootstrap-key-1' };
  await Promise.all([store, rival, store, rival].map((starting) => ensureDefaultAccount(starting, given)));
  expect(await theKey(store, given.apiKey)).toMatchObject(everyScope);
  expect(await theKey(store, 'an-old-bootstrap-key')).toBeNull();
});

// Without it receivers would refuse every webhook between the secret's change here and there.
test('a changed secret overlaps with the one before, also when two processes bring it at once', async () => {
  const [store, rival] = await aFirstStart();
  const [first, second] = [aWebhookSecret(), aWebhookSecret()];
  await ensureDefaultAccount(store, { ...none, webhookSecret: first });
  expect(await getWebhookSecret(store, { caller })).toMatchObject({ current: first, previous: null });
  const changed = { ...none, webhookSecret: second };
  await Promise.all([store, rival, store, rival].map((starting) => ensureDefaultAccount(starting, changed)));
  expect(await getWebhookSecret(store, { caller })).toMatchObject({ current: second, previous: first });
  await ensureDefaultAccount(store, none);
  expect(await getWebhookSecret(store, { caller })).toMatchObject({ current: second, previous: first });
});

// Broke: a key left in the environment was made valid again by the next restart, after an operator had revoked it.
test('a restart with the same given key does not undo its revocation; a changed one gives a key again', async () => {
  const [store] = await aFirstStart();
  const given = { ...none, apiKey: 'a-leaked-bootstrap-key' };
  await ensureDefaultAccount(store, given);
  const leaked = await theKey(store, given.apiKey);
  await revokeApiKey(store, { caller, keyId: leaked?.keyId ?? '' });
  await ensureDefaultAccount(store, given);
  await ensureDefaultAccount(store, none);
  await ensureDefaultAccount(store, given);
  expect(await theKey(store, given.apiKey)).toBeNull();
  await ensureDefaultAccount(store, { ...none, apiKey: 'its-successor-in-the-environment' });
  expect(await theKey(store, 'its-successor-in-the-environment')).toMatchObject(everyScope);
});

// Broke: a secret left in the environment came back at the next restart, after its account had rotated it.
test('a restart with the same given secret does not undo a rotation; a changed one rotates again', async () => {
  const [store] = await aFirstStart();
  const [given, rotated, changed] = [aWebhookSecret(), aWebhookSecret(), aWebhookSecret()];
  await ensureDefaultAccount(store, { ...none, webhookSecret: given });
  await rotateWebhookSecret(store, { caller, next: rotated });
  await ensureDefaultAccount(store, { ...none, webhookSecret: given });
  expect(await getWebhookSecret(store, { caller })).toMatchObject({ current: rotated, previous: given });
  await ensureDefaultAccount(store, { ...none, webhookSecret: changed });
  expect(await getWebhookSecret(store, { caller })).toMatchObject({ current: changed, previous: rotated });
});

// Without it the environment's secrets could be guessed from a copy of the database.
test('what is kept of a given value is a keyed hash', async () => {
  const [store] = await aFirstStart();
  const given = { ...none, apiKey: 'a-bootstrap-key-to-hash', webhookSecret: aWebhookSecret() };
  await ensureDefaultAccount(store, given);
  const rows = await store.db.selectFrom('applied_bootstrap').selectAll().orderBy('variable').execute();
  expect(rows).toMatchObject([
    { hash: store.vault.index('applied_bootstrap.BOOTSTRAP_API_KEY', given.apiKey) },
    { hash: store.vault.index('applied_bootstrap.BOOTSTRAP_WEBHOOK_SECRET', given.webhookSecret) },
  ]);
});

// Without it a start that fails halfway would leave an account whose secret nobody can decrypt.
test('a first start that fails leaves nothing', async () => {
  const { connectionString } = await createTestDatabase();
  const store = await openStore({ connectionString, encryptionKey });
  const failing = ensureDefaultAccount(store, {
    ...none,
    createWebhookSecret: () => {
      throw new Error('no randomness');
    },
  });
  await expect(failing).rejects.toThrow('no randomness');
  expect((await ensureDefaultAccount(store, none)).live).toMatch(/^ivk_live_/);
  expect((await getWebhookSecret(store, { caller })).current).toMatch(/^whsec_/);
  await store.close();
});
