import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test, vi } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../../test/ground/stages.ts';
import {
  aRoute,
  aVerifier,
  claim,
  claimOne,
  fail,
  ROUTE,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import { claimWork } from '../../index.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const idsOf = (works: readonly { requestId: string }[]) => works.map(({ requestId }) => requestId);

// Without it a verifier would not know what to verify, with whom, or until when.
test('a waiting request is leased with everything a verifier needs', async () => {
  await queue.empty();
  const neededBy = new Date(Date.now() + 3_600_000);
  const request = await intake(store, caller, aRequest(), { serviceDate: '2026-12-03', neededBy });
  const verifier = aVerifier();
  const [work] = await claim(store, { caller: verifier });
  expect(work).toEqual({
    requestId: request.request_id,
    payerId: ROUTE.payerId,
    accountId: caller.accountId,
    channel: 'agent_web_portal',
    leaseToken: expect.stringMatching(/^[\da-f-]{36}$/),
    leaseUntil: expect.any(Date),
    attemptNumber: 1,
    request,
    serviceDate: '2026-12-03',
    neededBy,
    isOfBatch: false,
    history: [],
  });
  expect(await accessLines(stores, verifier)).toEqual([['work.claim', request.request_id]]);
  expect(await claim(store)).toEqual([]);
});

// Without it a request would be worked in a channel whose turn has not come.
test('a request waits in the first channel of its route, and after a failure in the next', async () => {
  await queue.empty();
  const { request_id: requestId } = await intake(store, caller);
  expect(await claim(store, { channels: ['manual_phone_call'] })).toEqual([]);
  await fail(store, await claimOne(store));
  expect(await claim(store)).toEqual([]);
  const [work] = await claim(store, { channels: ['manual_phone_call'] });
  expect(work).toMatchObject({
    requestId,
    channel: 'manual_phone_call',
    attemptNumber: 2,
    history: [
      { number: 1, channel: 'agent_web_portal', outcome: 'failed', error_reason: 'member_not_found' },
    ],
  });
});

// Without it a clinic's unlucky requests would wait behind tomorrow's.
test('the longest due comes first', async () => {
  await queue.empty();
  const requests = [await intake(store, caller), await intake(store, caller), await intake(store, caller)];
  const [first, second, third] = requests.map(({ request_id: requestId }) => requestId) as [
    string,
    string,
    string,
  ];
  await queue.dueSince(third, 300);
  await queue.dueSince(second, 200);
  await queue.dueSince(first, 100);
  expect(idsOf(await claim(store, { limit: 2 }))).toEqual([third, second]);
  expect(idsOf(await claim(store, { limit: 2 }))).toEqual([first]);
});

// Without it one claim of fifty would return, and hold in memory, fifty requests of a megabyte each.
test('a claim of large requests leases fewer, and the next continues with the rest', async () => {
  await queue.empty();
  for (let count = 0; count < 5; count += 1)
    await intake(store, caller, aRequest({ patient_info: aPatient({ name: 'x'.repeat(800_000) }) }));
  expect(await claim(store, { limit: 50 })).toHaveLength(3);
  expect(await claim(store, { limit: 50 })).toHaveLength(2);
  await intake(store, caller, aRequest({ patient_info: aPatient({ name: 'x'.repeat(2_500_000) }) }));
  expect(await claim(store, { limit: 50 })).toHaveLength(1);
});

// Without it a provider with ten thousand requests would keep all others waiting.
test('a backlog of one account does not hold up another', async () => {
  await queue.empty();
  const [large, small] = [await anAccount(store), await anAccount(store)];
  for (let index = 0; index < 8; index += 1) {
    const { request_id: requestId } = await intake(store, large);
    await queue.dueSince(requestId, 1_000 - index);
  }
  const later = [await intake(store, small), await intake(store, small)];
  const seen: string[] = [];
  for (let index = 0; index < 4; index += 1) seen.push((await claimOne(store)).accountId);
  expect(seen).toEqual([large, small, large, small].map(({ accountId }) => accountId));
  expect(later).toHaveLength(2);
  expect((await claim(store, { limit: 10 })).map(({ accountId }) => accountId)).toEqual(
    Array.from({ length: 6 }, () => large.accountId),
  );
});

test('one claim of many takes from each account in turn', async () => {
  await queue.empty();
  const [large, small] = [await anAccount(store), await anAccount(store)];
  for (let index = 0; index < 4; index += 1) await intake(store, large);
  await intake(store, small);
  const accounts = (await claim(store, { limit: 2 })).map(({ accountId }) => accountId);
  expect(accounts.toSorted()).toEqual([large.accountId, small.accountId].toSorted());
});

// Without it the claims of an account with much to do would wait for each other's commits.
test('a claim waits for no other that notes that the same account is served', async () => {
  await queue.empty();
  for (let made = 0; made < 3; made += 1) await intake(store, caller);
  await claimOne(store);
  await store.db.transaction().execute(async (trx) => {
    await claimOne({ ...store, db: trx });
    await claimOne(rival);
  });
  expect(
    await sql(
      "select served_at > now() - interval '1 minute' as now from account_served where account_id = $1",
      [caller.accountId],
    ),
  ).toEqual([{ now: true }]);
});

// Without it the payer would lock the account out for too many concurrent inquiries.
test('no more of a payer are leased than its cap, however many claim at once', async () => {
  await queue.empty();
  for (let index = 0; index < 12; index += 1) await intake(store, caller);
  const capped = { routes: [aRoute(['agent_web_portal'], { inFlightCountMax: 5 })] };
  const claims = Array.from({ length: 12 }, (_, index) =>
    claim(index % 2 ? store : rival, { ...capped, limit: 2 }),
  );
  const works = (await Promise.all(claims)).flat();
  expect(works).toHaveLength(5);
  expect(await claim(store, capped)).toEqual([]);
  await submitFound(store, works[0] ?? (await claimOne(store)));
  expect(await claim(store, { ...capped, limit: 10 })).toHaveLength(1);
});

// Without it the work of a killed verifier would be lost.
test('a lapsed lease is due again, its attempt ended with it, and the attempts of a channel are bounded', async () => {
  await queue.empty();
  const { request_id: requestId } = await intake(store, caller);
  const routes = [aRoute(['agent_web_portal', 'manual_phone_call'])];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    expect(await claimOne(rival, { routes })).toMatchObject({ requestId, attemptNumber: attempt });
    expect(await claim(store, { routes })).toEqual([]);
    await queue.lapse(requestId);
  }
  expect(await claim(store, { routes })).toEqual([]);
  expect(await queue.attempts(requestId)).toEqual([
    '1 agent_web_portal lease_expired',
    '2 agent_web_portal lease_expired',
    '3 agent_web_portal working',
  ]);
});

// Without it a real payer would be called about a patient who does not exist.
test('requests of a test account are never leased to a verifier, and a sandbox claim takes no others', async () => {
  await queue.empty();
  const { request_id: real } = await intake(store, caller);
  const { request_id: made } = await intake(store, await anAccount(store, { mode: 'test' }));
  expect(idsOf(await claim(store, { caller: aPlatformCaller('test'), limit: 50, asSandbox: true }))).toEqual([
    made,
  ]);
  expect(idsOf(await claim(store, { limit: 50 }))).toEqual([real]);
});

// Without it a first run with one person would have nothing to do, or the person would take the agents' work.
test('a channel without verifiers is passed over where the route says so', async () => {
  await queue.empty();
  await sql('delete from channel_attendance');
  await intake(store, caller);
  const skipping = { routes: [aRoute(['agent_web_portal', 'manual_phone_call'], { skipsUnattended: true })] };
  expect(await claimOne(store, { ...skipping, channels: ['manual_phone_call'] })).toMatchObject({
    channel: 'manual_phone_call',
    attemptNumber: 1,
  });
  expect(await claim(store, skipping)).toEqual([]); // now the portal is attended
  await intake(store, caller);
  expect(await claim(store, { ...skipping, channels: ['manual_phone_call'] })).toEqual([]);
  await sql(`update channel_attendance set claimed_at = now() - interval '11 minutes'`);
  expect(await claim(store, { ...skipping, channels: ['manual_phone_call'] })).toHaveLength(1);
});

// Without it one row that does not open would fail every claim that meets it.
test('a row whose encrypted values cannot be decrypted is not handed out, and the others are', async () => {
  await queue.empty();
  const [broken, sound] = [await intake(store, caller), await intake(store, caller)];
  await sql('update request set input = $2 where id = $1', [broken.request_id, Buffer.alloc(40, 1)]);
  expect(idsOf(await claim(store, { limit: 2 }))).toEqual([sound.request_id]);
  await sql('delete from work_queue where request_id = $1', [broken.request_id]);
});

// Without it a verifier who asked for one payer's work would get another's.
test('only requests of the payers that are asked for are leased', async () => {
  await queue.empty();
  await intake(store, caller, aRequest());
  expect(await claim(store, { routes: [aRoute(['agent_web_portal'], { payerId: 'plan-2' })] })).toEqual([]);
  expect(await claim(store, { routes: [] })).toEqual([]);
});

// Broke: a claim of one looked at eight accounts, and where all that these had was leased it found nothing.
test('the one request that is due is found among the leased ones of many accounts', async () => {
  await queue.empty();
  for (let count = 0; count < 40; count += 1) await intake(store, await anAccount(store));
  expect(await claim(store, { limit: 40 })).toHaveLength(40);
  const { request_id: lapsed } = await intake(store, await anAccount(store));
  await claimOne(store);
  await queue.lapse(lapsed);
  expect(idsOf(await claim(store))).toEqual([lapsed]);
  expect(await claim(store)).toEqual([]);
});

// Without it a busy verifier would search again in vain after each claim, at 3 ms of database time.
test('a claim says whether it left something', async () => {
  await queue.empty();
  await intake(store, caller);
  await intake(store, caller);
  const look = (limit: number) =>
    claimWork(store, {
      caller: aVerifier(),
      routes: [ROUTE],
      channels: ['agent_web_portal'],
      limit,
      leaseSeconds: 60,
    });
  expect(await look(1)).toMatchObject({ works: [{}], mayHaveMore: true });
  expect(await look(1)).toMatchObject({ works: [{}], mayHaveMore: false });
  expect(await look(1)).toEqual({ works: [], mayHaveMore: false });
});
