import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { somePowers } from '../../test/ground/some-powers.ts';
import { aPlatformCaller, anAccount, aWebhookSecret } from '../../test/ground/stages.ts';
import {
  createApiKey,
  createApiKeyText,
  createMasterKey,
  DEFAULT_ACCOUNT_ID,
  ensureDefaultAccount,
  findApiKey,
  replaceFirstKey,
  type Store,
  WrongMasterKeyError,
} from '../index.ts';
import { withClient } from '../testing/create-test-database.ts';
import { createTestDatabase, signEveryRow } from '../testing/index.ts';
import { COVERED_TABLES } from './covered-columns.ts';
import type { AlteredRow } from './row-macs.ts';

vi.setConfig({ testTimeout: 30_000 });
const { open } = await openTestStores();

/** A database of its own, and ways to open it under master keys. */
async function aDatabase() {
  const database = await createTestDatabase();
  const { connectionString } = database;
  const opened: Store[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((store) => store.close().catch(() => undefined)));
    await database.drop();
  });
  const reported: AlteredRow[] = [];
  const counted: { renewedCount: number; leftCount: number }[] = [];
  const openUnder = async (encryptionKey: string) => {
    const store = await open({
      connectionString,
      encryptionKey,
      onAlteredRow: (row) => reported.push(row),
      onRewrapped: ({ rows }) => counted.push(rows),
    });
    opened.push(store);
    return store;
  };
  const sql = async <Row>(text: string, values: readonly unknown[] = []) =>
    withClient(connectionString, async (client) => (await client.query(text, [...values])).rows as Row[]);
  return { connectionString, openUnder, sql, reported, counted };
}

async function aKey(store: Store): Promise<{ readonly id: string; readonly text: string }> {
  const { accountId } = await anAccount(store);
  const made = await createApiKey(store, {
    caller: aPlatformCaller(),
    accountId,
    scopes: ['requests'],
    name: null,
    expiresAt: null,
  });
  if (made.kind !== 'created') throw new Error('It was not made.');
  return { id: made.key.key_id, text: made.key.key };
}

const kindOf = async (store: Store, text: string) => (await findApiKey(store, text)).kind;

const [first, second] = [createMasterKey('k1'), createMasterKey('k2')];

// Without it the old master key would be needed for ever, or no key would work once it is dropped.
test('a start under new,old signs every row again, and then the old one can be dropped', async () => {
  const { openUnder, counted } = await aDatabase();
  const before = await openUnder(first);
  const key = await aKey(before);
  const rotating = await openUnder(`${second},${first}`);
  expect(counted).toEqual([{ renewedCount: 2, leftCount: 0 }]);
  expect(await kindOf(rotating, key.text)).toBe('found');
  expect(await kindOf(await openUnder(second), key.text)).toBe('found');
});

// Without it a table that is covered later would keep the old master key for ever, or lose its rows with it.
test('rows of every covered table are signed again, and count for the master key that signed them', async () => {
  const { openUnder, sql } = await aDatabase();
  await somePowers(await openUnder(first), 'ada');
  const keysOf = async (table: string) =>
    (await sql<{ key: string }>(`select distinct split_part(mac, '.', 1) as key from ${table}`)).map(
      ({ key }) => key,
    );
  for (const table of COVERED_TABLES) expect([table, await keysOf(table)]).toEqual([table, ['k1']]);
  await openUnder(`${second},${first}`);
  for (const table of COVERED_TABLES) {
    expect([table, await keysOf(table)]).toEqual([table, ['k2']]);
    const [row] = await sql<{ mac: string }>(`select mac from ${table} limit 1`);
    await sql(`update ${table} set mac = 'k1' || substr(mac, 3) where mac = $1`, [row?.mac]);
    await expect(openUnder(second), table).rejects.toThrow('rows are signed by "k1" (1 of them)');
    await sql(`update ${table} set mac = $1 where mac like 'k1.%'`, [row?.mac]);
  }
});

// Without it what an older process signs between two restarts would be lost with its master key.
test('a master key that still signs rows cannot be dropped', async () => {
  const { openUnder, counted } = await aDatabase();
  const older = await openUnder(`${first},${second}`);
  await openUnder(`${second},${first}`);
  const late = await aKey(older);
  // Its account's data key is the old one's as well, which a start names first.
  await expect(openUnder(second)).rejects.toThrow(WrongMasterKeyError);
  await openUnder(`${second},${first}`);
  expect(counted.at(-1)).toEqual({ renewedCount: 2, leftCount: 0 });
  expect(await kindOf(await openUnder(second), late.text)).toBe('found');
});

// Broke in the making: a start that signs whatever it finds would make right what somebody altered.
test('a start leaves an altered row altered, and says that its master key is still needed', async () => {
  const { openUnder, sql, reported, counted } = await aDatabase();
  const key = await aKey(await openUnder(first));
  await sql(`update api_key set scopes = '{verify}'`);
  const rotating = await openUnder(`${second},${first}`);
  expect(counted).toEqual([{ renewedCount: 1, leftCount: 1 }]);
  expect(reported).toContainEqual({ table: 'api_key', id: key.id });
  expect(await kindOf(rotating, key.text)).toBe('unknown');
  await expect(openUnder(second)).rejects.toThrow('rows are signed by "k1" (1 of them), which is not given');
  // Put back as it was, it is right again; without a MAC it stays absent, and needs no key.
  await sql(`update api_key set scopes = '{requests}'`);
  expect(await kindOf(rotating, key.text)).toBe('found');
  await sql(`update api_key set mac = ''`);
  expect(await kindOf(await openUnder(second), key.text)).toBe('unknown');
});

// Without it whoever writes to the database could stop every start by naming a master key that never was.
test('a MAC that names no master key of this database stops no start', async () => {
  const { openUnder, sql } = await aDatabase();
  const key = await aKey(await openUnder(first));
  await sql(`update api_key set mac = 'k9' || substr(mac, 3)`);
  expect(await kindOf(await openUnder(first), key.text)).toBe('unknown');
});

// Without it a rotation with many accounts would end with the first thousand.
test('more rows than one transaction takes are signed again, next to ones that were altered', async () => {
  const { connectionString, openUnder, sql, counted } = await aDatabase();
  await openUnder(first);
  await sql(
    `insert into account (id, name, kind, mode, webhook_secret)
     select 'acct_' || lpad(n::text, 26, '0'), '"x"', 'provider', 'live', '' from generate_series(1, 2500) as n`,
  );
  await signEveryRow({ connectionString, encryptionKey: first });
  await sql(`update account set kind = 'platform' where id <= 'acct_' || lpad('1100', 26, '0')`);
  await openUnder(`${second},${first}`);
  expect(counted).toEqual([{ renewedCount: 1_400, leftCount: 1_100 }]);
});

// Without it whoever altered the rows of the first account and key would lock the operator out for good.
test('the first key is replaced whatever was altered', async () => {
  const { openUnder, sql } = await aDatabase();
  const store = await openUnder(first);
  const given = { apiKey: undefined, webhookSecret: undefined, createWebhookSecret: aWebhookSecret };
  const { live } = await ensureDefaultAccount(store, { ...given, createKey: createApiKeyText });
  await sql(`update account set mode = 'test', kind = 'provider', allowed_cidrs = '{192.0.2.0/24}'`);
  await sql(`update api_key set scopes = '{requests}', expires_at = now()`);
  expect(await kindOf(store, live ?? '')).toBe('unknown');
  expect(await ensureDefaultAccount(store, { ...given, createKey: createApiKeyText })).toEqual({
    live: null,
    test: null,
  });
  const replaced = await replaceFirstKey(store);
  if (replaced.kind !== 'replaced') throw new Error('There is one.');
  const found = await findApiKey(store, replaced.key);
  expect(found).toMatchObject({
    kind: 'found',
    key: { accountId: DEFAULT_ACCOUNT_ID, mode: 'live', allowedCidrs: [], suspended: false },
  });
});
