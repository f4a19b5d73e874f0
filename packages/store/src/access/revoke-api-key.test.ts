import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount } from '../../test/ground/stages.ts';
import { createApiKey, revokeApiKey } from '../index.ts';
import { issueId } from '../issued-id.ts';

const { store, rival } = await openTestStores();

// Without it the time of a revocation could be changed later, and an audit would show the wrong one.
test('a second revocation changes nothing, also at the same time in two processes', async () => {
  const caller = await anAccount(store);
  const made = await createApiKey(store, {
    caller,
    accountId: caller.accountId,
    scopes: ['requests'],
    name: null,
    expiresAt: null,
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  const { key_id: keyId } = made.key;
  const [one, other] = await Promise.all([
    revokeApiKey(store, { caller, keyId }),
    revokeApiKey(rival, { caller, keyId }),
  ]);
  const again = await revokeApiKey(store, { caller, keyId });
  expect(one).toMatchObject({ kind: 'revoked', key: { revoked_at: expect.any(String) } });
  expect(other).toEqual(one);
  expect(again).toEqual(one);
});

// Without it a malformed id would reach the database, where NUL is an error.
test.each(['', '\0', 'key_x', issueId('req'), issueId('key')])('%j is no key', async (keyId) => {
  const caller = await anAccount(store);
  expect(await revokeApiKey(store, { caller, keyId })).toEqual({ kind: 'not_found' });
});
