import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake, PAYER_ID } from '../../../test/ground/stages.ts';
import { theRequest, theDeliveries } from '../../../test/ground/the-stored.ts';
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
import { advanceWork, heartbeatWork, insertRequests, type Route } from '../../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);
const advance = async (routes: readonly Route[] = [ROUTE]) =>
  (await advanceWork(store, routes)).advancedCount;

const aRequestAlone = async () => {
  await queue.empty();
  return (await intake(store, caller)).request_id;
};

// Without it a killed verifier's request would show as being worked on until someone claims it.
test('a lapsed lease ends its attempt and puts the request back', async () => {
  const requestId = await aRequestAlone();
  await claimOne(store);
  expect(await advance()).toBe(0);
  await queue.lapse(requestId);
  expect(await advance()).toBe(1);
  expect(await advance()).toBe(0);
  expect(await queue.row(requestId)).toMatchObject({
    lease: null,
    channel: 'agent_web_portal',
    attempt_count: 1,
  });
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal lease_expired']);
  expect(await claimOne(store)).toMatchObject({ requestId, attemptNumber: 2 });
});

// Without it a request whose verifier died before the clock was set back would wait for as long as the step.
test('a lease that was taken later than in five seconds has lapsed, and its verifier changes nothing', async () => {
  const requestId = await aRequestAlone();
  const setBack = (seconds: number) =>
    sql(
      `update work_queue set leased_at = leased_at + make_interval(secs => $1),
         leased_until = leased_until + make_interval(secs => $1)`,
      [seconds],
    );
  const work = await claimOne(store);
  await setBack(4);
  expect(await advance()).toBe(0);
  const heartbeat = { ...work, caller: aVerifier(), leaseSeconds: 60 };
  expect(await heartbeatWork(store, heartbeat)).toMatchObject({ kind: 'renewed' });
  await setBack(3600);
  expect(await heartbeatWork(store, heartbeat)).toEqual({ kind: 'lease_lost' });
  expect(await submitFound(store, work)).toEqual({ kind: 'lease_lost' });
  expect(await advance()).toBe(1);
  expect(await queue.row(requestId)).toMatchObject({ lease: null });
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal lease_expired']);
  expect(await claimOne(store)).toMatchObject({ requestId, attemptNumber: 2 });
});

// Without it a request that kills every agent would be given to agents forever.
test('after the attempts of its channel a request passes to the next, after its last channel it ends', async () => {
  const requestId = await aRequestAlone();
  const routes = [aRoute(['agent_web_portal', 'manual_phone_call'])];
  for (const channel of ['agent_web_portal', 'manual_phone_call'] as const) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await claimOne(store, { routes, channels: [channel] });
      await queue.lapse(requestId);
      await advance(routes);
    }
  }
  expect(await theRequest(store, caller, requestId)).toMatchObject({
    state: 'error_verifying',
    error_reason: 'attempts_exhausted',
  });
  expect(await theDeliveries(store, caller, requestId)).toMatchObject([{ status: 'pending' }]);
  expect(await queue.attempts(requestId)).toHaveLength(6);
});

// Without it the provider would not learn what an earlier channel found wrong with the request.
test('a request that is not taken in its last channel ends with the reason of the one before', async () => {
  const requestId = await aRequestAlone();
  await fail(store, await claimOne(store), { errorReason: 'dob_mismatch' });
  await queue.endTime(requestId);
  expect(await advance()).toBe(1);
  expect(await theRequest(store, caller, requestId)).toMatchObject({ error_reason: 'dob_mismatch' });
  expect(await queue.attempts(requestId)).toEqual([
    '1 agent_web_portal failed dob_mismatch',
    '2 manual_phone_call timed_out',
  ]);
});

// Without it a request would wait forever in a channel that nobody works.
test('a request that is not taken in time passes to the next channel, also before anyone claimed it', async () => {
  const requestId = await aRequestAlone();
  await queue.dueSince(requestId, 3_599);
  expect(await advance()).toBe(0);
  await queue.dueSince(requestId, 3_601);
  expect(await advance()).toBe(1);
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal timed_out']);
  expect(await claimOne(store, { channels: ['manual_phone_call'] })).toMatchObject({ requestId });
});

// Broke: each round moved one request per account, so a thousand that arrived at once took a quarter of an hour.
test('many that are not taken in time pass on together, and one account’s do not keep another’s', async () => {
  await queue.empty();
  const callers = [await anAccount(store), await anAccount(store)] as const;
  for (const [index, count] of [101, 2].entries()) {
    const request = {
      caller: callers[index] ?? caller,
      payerId: PAYER_ID,
      input: aRequest(),
      idempotencyKey: null,
    };
    await insertRequests(
      store,
      Array.from({ length: count }, () => request),
    );
  }
  await sql(`update work_queue set waits_since = now() - interval '4000 s' where account_id = any ($1)`, [
    callers.map(({ accountId }) => accountId),
  ]);
  await intake(store, callers[0]);
  expect(await advance()).toBe(102);
  expect(await advance()).toBe(1);
  expect(await advance()).toBe(0);
});

// Broke: with only payer names configured, five minutes left an attempt over the API that nobody had been asked for.
test('a channel without verifiers leaves no attempt where the route skips it, the last one does', async () => {
  const requestId = await aRequestAlone();
  await sql('delete from channel_attendance');
  const routes = [aRoute(['api', 'agent_web_portal', 'manual_phone_call'], { skipsUnattended: true })];
  await queue.dueSince(requestId, 3_601);
  expect(await advance(routes)).toBe(1);
  await queue.endTime(requestId);
  expect(await advance(routes)).toBe(1);
  expect(await queue.row(requestId)).toMatchObject({ channel: 'manual_phone_call' });
  expect(await queue.attempts(requestId)).toEqual([]);
  await queue.endTime(requestId);
  await advance(routes);
  expect(await queue.attempts(requestId)).toEqual(['1 manual_phone_call timed_out']);
  expect(await theRequest(store, caller, requestId)).toMatchObject({ error_reason: 'attempts_exhausted' });
});

// Without it a request that agents had no time for would look as if no agent existed.
test('a channel that somebody worked meanwhile leaves an attempt', async () => {
  await aRequestAlone();
  const routes = [aRoute(['agent_web_portal', 'manual_phone_call'], { skipsUnattended: true })];
  await claimOne(store, { routes });
  const requestId = (await intake(store, caller)).request_id;
  await queue.dueSince(requestId, 3_601);
  expect(await advance(routes)).toBe(1);
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal timed_out']);
  const later = (await intake(store, caller)).request_id;
  await sql(`update channel_attendance set claimed_at = now() - interval '2 hours'`);
  await queue.dueSince(later, 3_601);
  expect(await advance(routes)).toBe(1);
  expect(await queue.attempts(later)).toEqual([]);
});

// Without it a call that outlasts its channel's time would be cut off while the verifier is working.
test('a lease that holds is not touched, its request continues when it ends', async () => {
  const requestId = await aRequestAlone();
  await claimOne(store);
  await queue.endTime(requestId);
  expect(await advance()).toBe(0);
  await queue.lapse(requestId);
  expect(await advance()).toBe(1);
  expect(await queue.row(requestId)).toMatchObject({ channel: 'manual_phone_call' });
});

// Without it two processes would end one request twice: two webhooks.
test('of two processes one hands a request on', async () => {
  const requestId = await aRequestAlone();
  for (let round = 0; round < 20; round += 1) {
    const another = (await intake(store, caller)).request_id;
    await queue.dueSince(another, 4_000);
  }
  await queue.dueSince(requestId, 4_000);
  let count = 0;
  for (let round = 0; round < 21; round += 1) {
    const done = await Promise.all([advanceWork(store, [ROUTE]), advanceWork(rival, [ROUTE])]);
    count += done.reduce((sum, { advancedCount }) => sum + advancedCount, 0);
  }
  expect(count).toBe(21);
  expect(await queue.attempts(requestId)).toEqual(['1 agent_web_portal timed_out']);
});

// Without it the request of a removed payer would be ended without the operator's knowledge.
test('a request whose payer has no route is only put back', async () => {
  const requestId = await aRequestAlone();
  await claimOne(store);
  await queue.lapse(requestId);
  expect(await advance([])).toBe(1);
  expect(await queue.row(requestId)).toMatchObject({ lease: null, outcome: 'none' });
  await queue.endTime(requestId);
  expect(await advance([])).toBe(0);
});

// Without it sandbox requests that never get an answer would move on, and their client's test would fail.
test('a sandbox request does not pass to another channel', async () => {
  await queue.empty();
  const { request_id: requestId } = await intake(store, await anAccount(store, { mode: 'test' }));
  await queue.dueSince(requestId, 1_000_000);
  expect(await advance()).toBe(0);
});

// Without it one row that does not open would stop all progress by time.
test('a request that cannot be opened is put off, and the others continue', async () => {
  const broken = await aRequestAlone();
  const { request_id: sound } = await intake(store, await anAccount(store));
  await fail(store, await claimOne(store));
  await fail(store, await claimOne(store));
  await queue.endTime(broken);
  await queue.endTime(sound);
  await sql('update request set input = $2 where id = $1', [broken, Buffer.alloc(40, 1)]);
  const advanced = await advanceWork(store, [ROUTE]);
  expect(advanced).toEqual({ advancedCount: 1, unreadableIds: [broken], hasLate: false, place: null });
  await expect(theRequest(store, caller, sound)).rejects.toThrow('not_found'); // another account's
  expect(await queue.row(sound)).toMatchObject({ outcome: 'error_verifying' });
  expect(await advanceWork(store, [ROUTE])).toEqual({
    advancedCount: 0,
    unreadableIds: [],
    hasLate: false,
    place: null,
  });
  expect(await claim(store, { channels: ['manual_phone_call'] })).toEqual([]);
});
