import { expect, test } from 'vitest';
import { openTestStores } from '../../test/open-test-stores.ts';
import { anAccount } from '../../test/stages.ts';
import { createApiKey, revokeApiKey } from '../index.ts';
import { issueId } from '../issued-id.ts';

const { store, rival } = await openTestStores();

// Without it the time of a revocation could be moved afterwards, and an audit would read the wrong one.
test('a second revocation changes nothing, also at the same time in two processes', async () => {
  const caller = await anAccount(store);
  const made = await createApiKey(store, {
    caller,
    accountId: caller.accountId,
    scopes: ['requests'],
    name: null,
    expiresAt: null,
  });
  if (Array.isArray(made)) throw new Error(String(made));
  const [one, other] = await Promise.all([
    revokeApiKey(store, caller, made.key_id),
    revokeApiKey(rival, caller, made.key_id),
  ]);
  const again = await revokeApiKey(store, caller, made.key_id);
  expect(one?.revoked_at).not.toBeNull();
  expect(other).toEqual(one);
  expect(again).toEqual(one);
});

// Without it a malformed id would reach the database, where NUL is an error.
test.each(['', '\0', 'key_x', issueId('req'), issueId('key')])('%j is no key', async (keyId) => {
  expect(await revokeApiKey(store, await anAccount(store), keyId)).toBeNull();
});
