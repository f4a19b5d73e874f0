import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount } from '../../test/ground/stages.ts';
import { theKey } from '../../test/ground/the-stored.ts';
import { type Caller, createApiKey, listApiKeys, revokeApiKey } from '../index.ts';
import { issueId } from '../issued-id.ts';
import type { NewApiKey } from './api-keys.ts';

const stores = await openTestStores();
const { store, sql } = stores;

const create = (caller: Caller, key: Partial<NewApiKey> = {}) =>
  createApiKey(store, {
    caller,
    accountId: caller.accountId,
    scopes: ['requests'],
    name: 'billing',
    expiresAt: null,
    ...key,
  });

/** A successfully created key. */
async function aKey(...given: Parameters<typeof create>) {
  const made = await create(...given);
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.key;
}

// Without it the only copy of the key would be lost, or stored where a copy of the database reveals it.
test('the text is answered once and kept nowhere', async () => {
  const caller = await anAccount(store, { mode: 'test' });
  const made = await aKey(caller, { expiresAt: new Date('2999-01-01') });
  expect(made).toEqual({
    key_id: expect.stringMatching(/^key_/),
    account_id: caller.accountId,
    account_name: 'Clinic',
    name: 'billing',
    prefix: made.key.slice(0, 13),
    scopes: ['requests'],
    created_at: expect.any(String),
    expires_at: '2999-01-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: null,
    allowed_cidrs: null,
    verify_within: null,
    created_by: caller.keyId,
    creator_left: false,
    endpoint_ids: [],
    key: expect.stringMatching(/^ivk_test_/),
  });
  const [row] = await sql<{ text: string }>(
    'select to_jsonb(api_key)::text as text from api_key where id = $1',
    [made.key_id],
  );
  expect(row?.text).not.toContain(made.key.slice(13));
});

// Without it a provider's key could submit results or read every account's held outputs.
test.each([['verify'], ['operate'], ['admin'], ['audit'], ['privacy'], ['requests', 'verify']] as const)(
  'a provider account has no key with %s %s',
  async (...scopes) => {
    const provider = await anAccount(store);
    expect(await create(provider, { scopes: scopes.filter((scope) => scope !== undefined) })).toEqual({
      kind: 'faulty',
      faults: ['scope_needs_platform'],
    });
    const platform = await anAccount(store, { kind: 'platform' });
    expect(await aKey(platform, { scopes })).toMatchObject({ scopes });
  },
);

// Without it a key could exist without an account, and its requests would fail midway.
test.each(['acct_x', '', '\0', issueId('acct'), issueId('key')])(
  '%j is no account to make a key for',
  async (accountId) => {
    expect(await create(await anAccount(store), { accountId })).toEqual({
      kind: 'faulty',
      faults: ['account_not_found'],
    });
  },
);

// Broke: a key that had already expired was handed out as if it worked; its holder got 401 without a reason.
test.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
  'no key ends at %s, which is past',
  async (end) => {
    const caller = await anAccount(store);
    expect(await create(caller, { expiresAt: new Date(end) })).toEqual({
      kind: 'faulty',
      faults: ['expired_at_birth'],
    });
    expect((await listApiKeys(store, { caller, limit: 1 })).items).not.toMatchObject([
      { account_id: caller.accountId },
    ]);
  },
);

// Broke: a caller with two wrong fields was told of one, fixed it, and was told of the next.
test('all that is wrong with a key is reported at once', async () => {
  const caller = await anAccount(store);
  const wrong = { scopes: ['operate'], expiresAt: new Date('2020-01-01') } as const;
  expect(await create(caller, wrong)).toMatchObject({ faults: ['scope_needs_platform', 'expired_at_birth'] });
  expect(await create(caller, { ...wrong, accountId: issueId('acct') })).toMatchObject({
    faults: ['account_not_found', 'expired_at_birth'],
  });
});

// Without it a key rotation would need a moment in which neither key works.
test('two keys of one account live at once', async () => {
  const caller = await anAccount(store);
  const keys = [await aKey(caller), await aKey(caller)];
  for (const { key } of keys) expect(await theKey(store, key)).toMatchObject({ accountId: caller.accountId });
});

// Without it a name that Postgres text refuses would be a 500.
test.each(['a\0b', '\ud800', '"', '{"a":1}', '🦷'])('the name %j comes back as it went in', async (name) => {
  const caller = await anAccount(store);
  expect(await aKey(caller, { name })).toMatchObject({ name });
  expect((await listApiKeys(store, { caller, limit: 1 })).items).toMatchObject([{ name }]);
});

// Without it nobody could tell who created or revoked a key.
test('making and revoking are in the access log', async () => {
  const caller = await anAccount(store);
  const { key_id: keyId } = await aKey(caller);
  await revokeApiKey(store, { caller, keyId });
  await revokeApiKey(store, { caller, keyId: issueId('key') });
  expect(await accessLines(stores, caller)).toEqual([
    ['keys.create', null],
    ['keys.revoke', null],
  ]);
});
