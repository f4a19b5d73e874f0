import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../test/ground/stages.ts';
import { getRequest, measureSeals, searchRequests, type Store } from '../index.ts';
import { BLOCK, SUCCEEDED_AT } from './seal-counter.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, rival, open, sql } = await openTestStores();

const keysOf = (accountId: string) =>
  sql<{ id: number; count: number; is_live: boolean }>(
    `select id, seal_count::float8 as count, succeeded_at is null as is_live from data_key
     where account_id = $1 order by id`,
    [accountId],
  );
const sealTimes = async (by: Store, accountId: string, count: number) => {
  for (let left = count; left > 0; left -= 1_000) {
    const seal = await by.vault.sealerFor([accountId]);
    for (let made = 0; made < Math.min(left, 1_000); made += 1) seal(accountId, 'p', '');
  }
};

// Without it nobody would know when AES-GCM's random IVs are used up, or each seal would cost a write.
test('the count is never below what was sealed, is written once a block, and above it by a block a process at most', async () => {
  const { accountId } = await anAccount(store);
  const writes = async () => {
    const [{ xmin } = { xmin: '' }] = await sql<{ xmin: string }>(
      `select string_agg(xmin::text, ',') as xmin from data_key where account_id = $1`,
      [accountId],
    );
    return xmin;
  };
  const countOf = async () => (await keysOf(accountId))[0]?.count ?? 0;
  await sealTimes(store, accountId, 1);
  await sealTimes(rival, accountId, 1);
  expect(await countOf()).toBe(3 * BLOCK); // of whoever made it, and of each of the two
  const before = await writes();
  await sealTimes(store, accountId, BLOCK / 2 - 1_000);
  expect(await writes()).toBe(before);
  await sealTimes(store, accountId, BLOCK + 2_000);
  const sealed = BLOCK / 2 + 1_000 + BLOCK + 2;
  expect(await countOf()).toBeGreaterThan(sealed);
  expect(await countOf()).toBe(5 * BLOCK);
});

/** A key that has sealed so much that the next block has it succeeded. */
const wornOut = (accountId: string) =>
  sql(`update data_key set seal_count = $2 where account_id = $1 and succeeded_at is null`, [
    accountId,
    SUCCEEDED_AT - 1,
  ]);

// Without it a key would seal beyond its bound, or a pause be needed to replace it.
test('a worn key is succeeded once, by whoever comes first; both processes seal with the new one and open the old', async () => {
  const caller = await anAccount(store);
  const { accountId } = caller;
  const about = aRequest({ patient_info: aPatient({ subscriber_id: 'OLD-1' }) });
  const before = await intake(store, caller, about);
  await intake(rival, caller, about);
  await wornOut(accountId);
  const [first, second] = [await open(), await open()];
  const made = await Promise.all([first, second].map((by) => intake(by, caller, about)));
  const keys = await keysOf(accountId);
  expect(keys.map(({ is_live }) => is_live)).toEqual([false, true]);
  const sealedBy = async (requestId: string) => {
    const [row] = await sql<{ input: Buffer }>('select input from request where id = $1', [requestId]);
    return row?.input.readUInt32BE(1);
  };
  for (const { request_id } of made) expect(await sealedBy(request_id)).toBe(keys[1]?.id);
  // It has a block of the old key left: two keys are live, and each opens what the other sealed.
  const late = await intake(rival, caller, about);
  expect(await sealedBy(late.request_id)).toBe(keys[0]?.id);
  for (const by of [store, rival, first, second])
    for (const { request_id: requestId } of [before, late, ...made])
      expect(await getRequest(by, { caller, requestId })).toMatchObject({ kind: 'found' });
  await sealTimes(rival, accountId, BLOCK / 2 + 1_000);
  const after = await intake(rival, caller, about);
  expect(await sealedBy(after.request_id)).toBe(keys[1]?.id);
});

// Without it a patient would be found in half of their requests, from the day on which the key was succeeded.
test('a member id is found by every process under both keys', async () => {
  const caller = await anAccount(store);
  const about = aRequest({ patient_info: aPatient({ subscriber_id: 'BOTH-KEYS' }) });
  const before = await intake(store, caller, about);
  await wornOut(caller.accountId);
  const after = await intake(await open(), caller, about);
  for (const by of [store, rival]) {
    const search = { caller: aPlatformCaller(), routes: [], limit: 10, memberId: 'both-keys' };
    const { items } = await searchRequests(by, search);
    expect(items.map(({ request_id }) => request_id)).toEqual([after.request_id, before.request_id]);
  }
});

test('what is measured is the most that a key that seals has sealed', async () => {
  const { accountId } = await anAccount(store);
  await wornOut(accountId);
  expect(await measureSeals(store)).toBe(SUCCEEDED_AT - 1);
  await (await open()).vault.seal({ accountId }, 'p', '');
  expect(await measureSeals(store)).toBeLessThan(SUCCEEDED_AT / 2);
});
