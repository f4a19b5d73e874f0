import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../test/ground/stages.ts';
import { theRequest } from '../../test/ground/the-stored.ts';
import { insertAccount } from '../access/create-account.ts';
import { createMasterKey, openStore, WrongMasterKeyError } from '../index.ts';
import { issueId } from '../issued-id.ts';
import { withClient } from '../testing/create-test-database.ts';
import { createTestDatabase } from '../testing/index.ts';
import { DecryptionError } from './encrypt.ts';
import type { RenewedKeys } from './vault.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, rival, open, sql, connectionString, encryptionKey } = await openTestStores();

const keysBefore = () =>
  sql(
    'select to_jsonb(t)::text from (table data_key) t union all select to_jsonb(m)::text from (table master_key_check) m order by 1',
  );

// Without it a corrupt or moved value would be read as a patient's data, or be an unknown error.
test('no byte of a stored value can be changed', async () => {
  const { accountId } = await anAccount(store);
  const encrypted = await store.vault.encrypt({ accountId }, 'request.input:r', 'Jane');
  for (let index = 0; index < encrypted.length; index += 1) {
    const flipped = Buffer.from(encrypted);
    flipped[index] = (flipped[index] ?? 0) ^ 0x80;
    await expect(store.vault.decrypt({ accountId }, 'request.input:r', flipped)).rejects.toThrow(
      DecryptionError,
    );
  }
  expect((await store.vault.decrypt({ accountId }, 'request.input:r', encrypted)).toString()).toBe('Jane');
});

// Broke: a row that SQL turned to another account opened for that.
test('a value opens for the account whose key encrypted it, and for no other', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const [ofOne, ofSystem] = [
    await store.vault.encrypt(one, 'p', 'x'),
    await store.vault.encrypt('system', 'p', 'x'),
  ];
  await expect(store.vault.decrypt(other, 'p', ofOne)).rejects.toThrow(DecryptionError);
  await expect(store.vault.decrypt('system', 'p', ofOne)).rejects.toThrow(DecryptionError);
  await expect(store.vault.decrypt(one, 'p', ofSystem)).rejects.toThrow(DecryptionError);
  const opener = await store.vault.decrypterFor([ofOne]);
  expect(() => opener(other.accountId, 'p', ofOne)).toThrow(DecryptionError);
  expect(opener(one.accountId, 'p', ofOne).toString()).toBe('x');
});

// Without it two accounts would share a key, and neither's data could be made unreadable alone.
test('every account has a data key of its own', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const idOf = async (accountId: string) =>
    (await store.vault.encrypt({ accountId }, 'p', 'x')).readUInt32BE(1);
  expect(await idOf(one.accountId)).not.toBe(await idOf(other.accountId));
});

// Without it equal texts in two columns would be recognizable as equal.
test('an index depends on its purpose and on nothing of the process', () => {
  expect(store.vault.index('a', 'x')).toEqual(rival.vault.index('a', 'x'));
  expect(store.vault.index('a', 'x')).not.toEqual(store.vault.index('b', 'x'));
  expect(store.vault.index('ab', 'c')).not.toEqual(store.vault.index('a', 'bc'));
});

/** A separate database with one account and one request, last opened under `first`. */
async function aDatabaseUnder(first: string) {
  const { connectionString: other } = await createTestDatabase();
  const reported: RenewedKeys[] = [];
  const openUnder = (key: string) =>
    open({ connectionString: other, encryptionKey: key, onRewrapped: (keys) => reported.push(keys) });
  const made = await openUnder(first);
  const caller = await anAccount(made);
  const { request_id: requestId } = await intake(
    made,
    caller,
    aRequest({ patient_info: aPatient({ name: 'Before' }) }),
  );
  const index = made.vault.index('p', 'x');
  await made.close();
  const wrappedBy = () =>
    withClient(other, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select distinct master_key_id as id from data_key',
      );
      return rows.map(({ id }) => id);
    });
  return { connectionString: other, openUnder, caller, requestId, index, wrappedBy, reported };
}

// Broke: data keys stayed wrapped by the old master key, so it was needed forever, even after it had leaked.
test('one start under new,old wraps every key again: the old one can be dropped, and nothing else changes', async () => {
  const [first, second] = [createMasterKey('k1'), createMasterKey('k2')];
  const { openUnder, caller, requestId, index, wrappedBy, reported } = await aDatabaseUnder(first);
  const rotating = await openUnder(`${second},${first}`);
  // Of the system two and of the account one, and nothing is left for the old key.
  const rows = { renewedCount: 1, leftCount: 0 };
  expect(reported).toEqual([{ masterKeyId: 'k2', rewrappedCount: 3, leftCount: 0, rows }]);
  const later = await anAccount(rotating);
  expect(await wrappedBy()).toEqual(['k2']);
  await rotating.close();

  const rotated = await openUnder(second);
  expect((await theRequest(rotated, caller, requestId)).input.patient_info.name).toBe('Before');
  expect(rotated.vault.index('p', 'x')).toEqual(index);
  const encrypted = await rotated.vault.encrypt(later, 'p', 'after');
  expect((await rotated.vault.decrypt(later, 'p', encrypted)).toString()).toBe('after');
  await expect(openUnder(first)).rejects.toThrow(WrongMasterKeyError);
});

// Without it a rolling restart under a new key would fail, or leave keys that need the old one.
test('ten starts at once under new,old all open, and wrap every key again', async () => {
  const [first, second] = [createMasterKey('k1'), createMasterKey('k2')];
  const { openUnder, caller, requestId, wrappedBy } = await aDatabaseUnder(first);
  const stores = await Promise.all(Array.from({ length: 10 }, () => openUnder(`${second},${first}`)));
  for (const rotating of stores)
    expect((await theRequest(rotating, caller, requestId)).input.patient_info.name).toBe('Before');
  expect(await wrappedBy()).toEqual(['k2']);
});

// Without it a rotation of many accounts would stop after the first statement.
test('more keys than one transaction wraps are wrapped again', async () => {
  const [first, second] = [createMasterKey('k1'), createMasterKey('k2')];
  const { connectionString: other, openUnder, caller, wrappedBy } = await aDatabaseUnder(first);
  const made = await openUnder(first);
  const accountIds = Array.from({ length: 1_001 }, () => issueId('acct'));
  await withClient(other, (client) =>
    client.query(
      `insert into account (id, name, kind, mode, webhook_secret)
       select id, '"x"', 'provider', 'live', '' from unnest($1::text[]) as id`,
      [accountIds],
    ),
  );
  const encrypted: Buffer[] = [];
  // One after the other: a thousand at once would wait for the single connection for data keys.
  for (const accountId of accountIds) encrypted.push(await made.vault.encrypt({ accountId }, 'p', 'x'));
  await made.close();
  const rotating = await openUnder(`${second},${first}`);
  expect(await wrappedBy()).toEqual(['k2']);
  const owned = [
    ...[0, 1_000].map((index) => ({ accountId: accountIds[index] ?? '', value: encrypted[index] })),
    { ...caller, value: await rotating.vault.encrypt(caller, 'p', 'x') },
  ];
  for (const { accountId, value = Buffer.of() } of owned)
    expect((await rotating.vault.decrypt({ accountId }, 'p', value)).toString()).toBe('x');
});

// Without it a wrong key would let the service start and then corrupt or fail row by row.
test.each([
  ['other bytes under the same id', createMasterKey('k1')],
  ['an id never seen', createMasterKey('k9')],
  ['other bytes among several', `${createMasterKey('k9')},${createMasterKey('k1')}`],
])('a start with %s is refused and touches no row', async (_, wrong) => {
  const before = await keysBefore();
  const start = openStore({ connectionString, encryptionKey: wrong });
  await expect(start).rejects.toThrow(WrongMasterKeyError);
  await expect(start).rejects.not.toThrow(wrong.slice(3, 20));
  expect(await keysBefore()).toEqual(before);
});

// Without it dropping a master key too early would look like a bug rather than a wrong setting.
test('a start without the key that wraps a data key is refused, and touches no row', async () => {
  const [first, second] = [createMasterKey('first'), createMasterKey('second')];
  const { connectionString: other, openUnder, wrappedBy } = await aDatabaseUnder(first);
  await expect(openUnder(second)).rejects.toThrow(WrongMasterKeyError);
  await openUnder(`${second},${first}`);
  // By now under `second`, whose id is known but which is not given.
  await expect(openUnder(`${createMasterKey('third')},${first}`)).rejects.toThrow(
    'data keys are wrapped by "second" (3 of them), which is not given',
  );
  expect(await wrappedBy()).toEqual(['second']);
  expect(
    await withClient(other, async (client) => (await client.query('table master_key_check')).rowCount),
  ).toBe(2);
});

// Without it processes that start together on an empty database would have different keys, and not read each other's
// data.
test('ten first starts at once agree on the keys', async () => {
  const { connectionString: other } = await createTestDatabase();
  const stores = await Promise.all(
    Array.from({ length: 10 }, () => open({ connectionString: other, encryptionKey })),
  );
  const encrypted = await Promise.all(stores.map(({ vault }) => vault.encrypt('system', 'p', 'x')));
  for (const value of encrypted)
    expect((await stores[0]?.vault.decrypt('system', 'p', value))?.toString()).toBe('x');
  expect(new Set(stores.map(({ vault }) => vault.index('p', 'x').toString('hex'))).size).toBe(1);
});

// Without it one of them would write under a key that the next start refuses.
test('of first starts at once with different keys of one id only one key gets in', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { connectionString: other } = await createTestDatabase();
    const keys = [createMasterKey('k1'), createMasterKey('k1')];
    const starts = await Promise.allSettled(
      [...keys, ...keys].map((key) => open({ connectionString: other, encryptionKey: key })),
    );
    const winners = starts.flatMap(({ status }, index) => (status === 'fulfilled' ? [index % 2] : []));
    expect(new Set(winners).size).toBeLessThan(2);
    for (const start of starts)
      if (start.status === 'rejected') expect(start.reason).toBeInstanceOf(WrongMasterKeyError);
    await Promise.all(starts.map(async (start) => start.status === 'fulfilled' && start.value.close()));
  }
});

// Without it the loser of two processes would encrypt under a key that is not stored.
test('two processes that make an account its data key at once end with one', async () => {
  const accountId = issueId('acct');
  await sql(
    `insert into account (id, name, kind, mode, webhook_secret) values ($1, '"x"', 'provider', 'live', '')`,
    [accountId],
  );
  const encrypted = await Promise.all(
    [store, rival, store, rival, store, rival].map(({ vault }) => vault.encrypt({ accountId }, 'p', 'x')),
  );
  expect(new Set(encrypted.map((value) => value.readUInt32BE(1))).size).toBe(1);
  expect(await sql('select from data_key where account_id = $1', [accountId])).toHaveLength(1);
  for (const value of encrypted)
    expect((await rival.vault.decrypt({ accountId }, 'p', value)).toString()).toBe('x');
});

// Without it data would be encrypted under a key whose row was rolled back: lost for good.
test('a rolled-back account leaves no remembered key', async () => {
  const id = issueId('acct');
  const account = { name: 'x', kind: 'provider', mode: 'live', webhookSecret: 'whsec_x' } as const;
  const rolledBack = store.db.transaction().execute(async (trx) => {
    await insertAccount(trx, store.vault, id, account);
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await expect(store.vault.encrypt({ accountId: id }, 'p', 'x')).rejects.toThrow('foreign key');
  await rival.db.transaction().execute((trx) => insertAccount(trx, rival.vault, id, account));
  const encrypted = await store.vault.encrypt({ accountId: id }, 'p', 'x');
  expect((await rival.vault.decrypt({ accountId: id }, 'p', encrypted)).toString()).toBe('x');
});

// Without it transactions that all need an unknown key would each wait for a second connection, and time out.
test('keys load while every connection is in a transaction', async () => {
  const small = await open({ connectionCountMax: 2 });
  const late = await anAccount(store);
  const encrypted = await store.vault.encrypt(late, 'p', 'x');
  await Promise.all(
    Array.from({ length: 8 }, () =>
      small.db.transaction().execute(async () => {
        expect((await small.vault.decrypt(late, 'p', encrypted)).toString()).toBe('x');
      }),
    ),
  );
});
