import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount } from '../../../test/ground/stages.ts';
import { theKey } from '../../../test/ground/the-stored.ts';
import { createApiKey, revokeApiKey, setAccountLimits, type Store } from '../../index.ts';
import { createApiKeyText } from './api-key-text.ts';

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
test('a revoked key is none', async () => {
  const { caller, key, key_id: keyId } = await aKey();
  await revokeApiKey(store, { caller, keyId });
  expect(await theKey(store, key)).toBeNull();
});

// Without it a key for a day would work forever, or expire by some process's own clock.
test('an expired key is none, by the clock of the database', async () => {
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
