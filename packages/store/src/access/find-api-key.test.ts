import * as fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount } from '../../test/ground/stages.ts';
import { theKey } from '../../test/ground/the-stored.ts';
import { createApiKey, revokeApiKey, setAccountLimits, type Store } from '../index.ts';
import { createApiKeyText, displayPrefix, mayBeApiKey } from './find-api-key.ts';

const { store, rival, sql, alter } = await openTestStores();

async function aKey(key: { expiresAt?: Date | null } = {}) {
  const caller = await anAccount(store);
  const made = await createApiKey(store, {
    caller,
    accountId: caller.accountId,
    scopes: ['requests'],
    name: null,
    expiresAt: key.expiresAt ?? null,
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  return { caller, ...made.key };
}

/** The store, counting the queries it sends. */
function counting(counted: Store) {
  const count = { queries: 0 };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => ((count.queries += 1), node),
    transformResult: async ({ result }) => result,
  };
  const [db, keyDb] = [counted.db.withPlugin(plugin), counted.keyDb.withPlugin(plugin)];
  return { count, store: { ...counted, db, keyDb } };
}

// Without it no key would work, or it would act for another account.
test('a key acts for its account with its scopes, in every process', async () => {
  const { caller, key, key_id: keyId } = await aKey();
  const found = {
    keyId,
    accountId: caller.accountId,
    mode: 'live',
    scopes: ['requests'],
    expiresAt: null,
    suspended: false,
    name: null,
    allowedCidrs: [],
    quotas: {},
  };
  expect(await theKey(store, key)).toEqual(found);
  expect(await theKey(rival, key)).toEqual(found);
});

// Without it an account's or a key's own settings would not apply to its calls.
test('a key brings the networks of its account and its own, and the quotas of its account', async () => {
  const { caller, key } = await aKey();
  await setAccountLimits(store, {
    caller,
    accountId: caller.accountId,
    quotas: { intake: { quota: 5, windowSeconds: 60 }, reads: null },
    allowedCidrs: ['10.0.0.0/8'],
  });
  await alter(`update api_key set allowed_cidrs = '{10.1.0.0/16,::1/128}' where account_id = $1`, [
    caller.accountId,
  ]);
  expect(await theKey(rival, key)).toMatchObject({
    allowedCidrs: [['10.0.0.0/8'], ['10.1.0.0/16', '::1/128']],
    quotas: { intake: { quota: 5, windowSeconds: 60 } },
  });
});

// Without it a flood of invented keys would reach the database.
test('a wrong checksum asks the database nothing, an unknown key asks it once', async () => {
  const { key } = await aKey();
  const { count, store: counted } = counting(store);
  expect(await theKey(counted, key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'))).toBeNull();
  expect(await theKey(counted, '\0'.repeat(4_000))).toBeNull();
  expect(await theKey(counted, '')).toBeNull();
  expect(count.queries).toBe(0);
  expect(await theKey(counted, createApiKeyText('live'))).toBeNull();
  expect(count.queries).toBe(1);
});

// Without it a revoked key would continue to work.
test('a revoked key does not count', async () => {
  const { caller, key, key_id: keyId } = await aKey();
  await revokeApiKey(store, { caller, keyId });
  expect(await theKey(store, key)).toBeNull();
});

// Without it a key for a day would work forever, or expire by some process's own clock.
test('an expired key does not count, by the clock of the database', async () => {
  const { key, key_id: keyId } = await aKey({ expiresAt: new Date('2999-01-01') });
  expect((await theKey(store, key))?.expiresAt).toEqual(new Date('2999-01-01'));
  await alter(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [keyId]);
  expect(await theKey(store, key)).toBeNull();
});

// Without it every request would write a row, or an unused key would look like a busy one.
test('the last use is noted to the minute', async () => {
  const { key, key_id: keyId } = await aKey();
  const lastUse = async () =>
    (
      await sql<{ used: string | null }>('select last_used_at::text as used from api_key where id = $1', [
        keyId,
      ])
    )[0]?.used;
  expect(await lastUse()).toBeNull();
  await theKey(store, key);
  const first = await lastUse();
  expect(first).not.toBeNull();
  await theKey(store, key);
  expect(await lastUse()).toBe(first);
  await sql(`update api_key set last_used_at = now() - interval '61 seconds' where id = $1`, [keyId]);
  const { count, store: counted } = counting(store);
  await theKey(counted, key);
  await theKey(counted, key);
  expect(count.queries).toBe(3);
});

const mode = fc.constantFrom('live' as const, 'test' as const);

// Without it keys could be guessed, or be taken for the wrong mode.
test('a made key has its mode, 160 random bits and a checksum', () => {
  expect(createApiKeyText('live')).toMatch(/^ivk_live_[0-9a-f]{48}$/);
  expect(createApiKeyText('test')).toMatch(/^ivk_test_[0-9a-f]{48}$/);
  expect(createApiKeyText('live')).not.toBe(createApiKeyText('live'));
  expect(mayBeApiKey(createApiKeyText('live'))).toBe(true);
});

// Without it every mistyped or invented key would cost a look-up: a flood of them would load the database.
test('a key with one character changed is known to be none', () => {
  fc.assert(
    fc.property(mode, fc.nat(47), fc.integer({ min: 1, max: 15 }), (keyMode, index, by) => {
      const text = createApiKeyText(keyMode);
      const at = 9 + index;
      const changed = ((Number.parseInt(text.charAt(at), 16) + by) % 16).toString(16);
      expect(mayBeApiKey(text.slice(0, at) + changed + text.slice(at + 1))).toBe(false);
    }),
  );
});

// Without it a test key could be passed off as a live one.
test('the checksum covers the mode', () => {
  expect(mayBeApiKey(createApiKeyText('test').replace('test', 'live'))).toBe(false);
});

// Without it BOOTSTRAP_API_KEY could pass the start and never authenticate, or be refused although it is printable.
test.each([
  ['x'.repeat(20), true],
  ['~'.repeat(200), true],
  ['ivk_my_own_key_for_the_start', true],
  ['ivk_live_my_own_key_for_the_start', true],
  ['x'.repeat(19), false],
  ['x'.repeat(201), false],
  ['x'.repeat(4_000), false],
  [`${'x'.repeat(20)} y`, false],
  [`${'x'.repeat(20)}\n`, false],
  [`${'x'.repeat(20)}\0`, false],
  [`${'x'.repeat(20)}é`, false],
  [`ivk_live_${'0'.repeat(48)}`, false],
  ['', false],
])('%j may be a key: %s', (text, expected) => {
  expect(mayBeApiKey(text)).toBe(expected);
});

// Without it a list of keys would reveal enough of one to use it, or too little to tell it from another.
test('what is shown of a key is its first few characters', () => {
  expect(displayPrefix('ivk_live_0123456789')).toBe('ivk_live_0123');
  expect(displayPrefix('my-own-bootstrap-key')).toBe('my-o…');
});
