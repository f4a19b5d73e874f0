import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPrivacyPerson } from '../../test/ground/some-people.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  intake,
} from '../../test/ground/stages.ts';
import {
  type Caller,
  confirmAccountRetention,
  eraseDue,
  getAccountRetention,
  listAccounts,
  measureErasure,
  setAccountRetention,
} from '../index.ts';
import { withClient } from '../testing/create-test-database.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const caller = aPlatformCaller();
const person = await aPrivacyPerson(store);
await aPrivacyPerson(store);

async function aDelivered(owner: Caller, days: number): Promise<string> {
  const { request_id: id } = await aFinishedRequest(store, owner);
  await finish(store, await claimFor(store, id));
  return aged(stores, id, days);
}

/** Sets a retention; where it is shorter, a second person confirms it. */
async function set(accountId: string, days: number | null, by = store) {
  const asked = await setAccountRetention(by, { caller, accountId, days });
  const answer =
    asked.kind === 'found' && asked.retention.asked && days !== null
      ? await confirmAccountRetention(by, { caller: person, accountId, days })
      : asked;
  if (answer.kind !== 'found') throw new Error(answer.kind);
  return answer.retention;
}

async function wouldErase(accountId: string, days?: number) {
  const answer = await getAccountRetention(store, { caller, accountId, days });
  return answer.kind === 'found' && answer.retention.would_erase;
}

const hoursUntil = (at: string | null) => at && Math.round((Date.parse(at) - Date.now()) / 3_600_000);
const eraseOnce = async () => {
  const batch = await eraseDue(store, { limit: 100 });
  return batch.kind === 'erased' ? batch.count : 0;
};

/** Who waits for a lock in this database. */
const waiting = () =>
  sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

test('a live account keeps its data, a test account 30 days', async () => {
  const [live, tests] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const { items } = await listAccounts(store, { caller, limit: 100 });
  const daysOf = (owner: Caller) => items.find((one) => one.account_id === owner.accountId)?.retention_days;
  expect([daysOf(live), daysOf(tests)]).toEqual([null, 30]);
});

// Without it a mistyped number would erase years of a clinic's requests at once.
test('a shorter retention erases nothing for a day; a longer one, or none, counts at once', async () => {
  const { accountId, ...owner } = await anAccount(store);
  await aDelivered({ accountId, ...owner }, 100);
  const first = await set(accountId, 90);
  expect(first).toMatchObject({ retention_days: 90, would_erase: 1, more: false });
  expect(hoursUntil(first.erases_from)).toBe(24);
  expect(await eraseOnce()).toBe(0);
  expect(await set(accountId, 365)).toMatchObject({ erases_from: first.erases_from, would_erase: 0 });
  expect(await set(accountId, null)).toMatchObject({
    retention_days: null,
    erases_from: null,
    would_erase: 0,
  });
  await set(accountId, 3);
  await sql(`update account set erases_from = now() where id = $1`, [accountId]);
  expect(await set(accountId, 3)).toMatchObject({ erases_from: null }); // no change, no grace
  expect(await eraseOnce()).toBe(1);
  expect(await set(accountId, 3650)).toMatchObject({ erases_from: null });
});

// Without it nobody could say who let a patient's record go.
test('who changed it, from what to what, is shown; the audit has a line for each call', async () => {
  const { accountId } = await anAccount(store);
  await set(accountId, 90);
  await set(accountId, 90);
  const { changes } = await set(accountId, null);
  const at = { changed_at: expect.any(String) };
  expect(changes).toEqual([
    { ...at, changed_by: caller.keyId, asked_by: null, days_before: 90, days_after: null },
    { ...at, changed_by: person.keyId, asked_by: caller.keyId, days_before: null, days_after: 90 },
  ]);
  const lines = await sql(
    `select key_id from access_log where operation = 'accounts.setRetention' and subject_id = $1`,
    [accountId],
  );
  expect(lines).toEqual([1, 2, 3].map(() => ({ key_id: caller.keyId })));
});

test('the count is of finished requests past so many days, and of no other account', async () => {
  const owner = await anAccount(store);
  for (const days of [10, 50, 100]) await aDelivered(owner, days);
  await aged(stores, (await intake(store, owner)).request_id, 200);
  await aged(stores, (await aFinishedRequest(store, owner)).request_id, 200); // its delivery is open
  const counts = [];
  for (const days of [3, 20, 60, 150, undefined]) counts.push(await wouldErase(owner.accountId, days));
  expect(counts).toEqual([3, 2, 1, 0, 0]);
  await sql('update account set retention_days = 60 where id = $1', [owner.accountId]);
  expect(await measureErasure(store)).toBeGreaterThan(39 * 86_400);
  await eraseOnce();
  expect(await measureErasure(store)).toBe(0);
  expect([await wouldErase(owner.accountId), await wouldErase(owner.accountId, 3)]).toEqual([0, 2]);
});

// Without it data would be erased after the answer that it is kept.
test('once it is answered that data is kept, a batch under way has ended', async () => {
  const owner = await anAccount(store);
  await aDelivered(owner, 100);
  await sql('update account set retention_days = 3 where id = $1', [owner.accountId]);
  await withClient(stores.connectionString, async (client) => {
    await client.query('begin');
    await client.query('lock table draft in access exclusive mode'); // which a batch writes
    const erasing = eraseOnce();
    await expect.poll(waiting).toHaveLength(1);
    let isAnswered = false;
    const keeping = set(owner.accountId, null, rival).then(() => (isAnswered = true));
    await expect.poll(waiting).toHaveLength(2);
    expect(isAnswered).toBe(false);
    await client.query('rollback');
    expect(await erasing).toBe(1);
    await keeping;
  });
});

test('an account out of reach is not found, nor is one that never was', async () => {
  const { accountId } = await anAccount(store);
  const notFound = { kind: 'not_found' };
  const tester = aPlatformCaller('test');
  expect(await setAccountRetention(store, { caller: tester, accountId, days: 3 })).toEqual(notFound);
  for (const id of ['', '\0', 'acct_x'])
    expect(await getAccountRetention(store, { caller, accountId: id })).toEqual(notFound);
});
