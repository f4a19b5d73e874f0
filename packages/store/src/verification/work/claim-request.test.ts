import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../../test/ground/stages.ts';
import {
  aRoute,
  aVerifier,
  claimOne,
  fail,
  LEASE_SECONDS,
  ROUTE,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import type { Store } from '../../open-store.ts';
import { claimRequest, type RequestClaim } from './claim-request.ts';
import { leaseChosen } from './lease-chosen.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, rival } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const claimNamed = (from: Store, requestId: string, options: Partial<RequestClaim> = {}) =>
  claimRequest(from, {
    caller: aVerifier(),
    requestId,
    routes: [ROUTE],
    channels: ['agent_web_portal'],
    leaseSeconds: LEASE_SECONDS,
    ...options,
  });

const aWaiting = async () => (await intake(store, caller)).request_id ?? '';

// Without it a person whose lease lapsed could not continue their work.
test('a request whose lease lapsed is leased again by its id, and the attempt before has ended', async () => {
  await queue.empty();
  const requestId = await aWaiting();
  await aWaiting();
  await claimOne(store);
  await queue.lapse(requestId);
  const verifier = aVerifier();
  expect(await claimNamed(store, requestId, { caller: verifier })).toMatchObject({
    kind: 'claimed',
    work: { requestId, attemptNumber: 2, history: [{ number: 1, outcome: 'lease_expired' }] },
  });
  expect(await accessLines(stores, verifier)).toEqual([['work.claimRequest', requestId]]);
});

test('it need not be due, but its channel must be next, with attempts left', async () => {
  await queue.empty();
  const requestId = await aWaiting();
  await queue.dueSince(requestId, -3_600);
  expect(await claimNamed(store, requestId, { channels: ['manual_phone_call'] })).toEqual({
    kind: 'not_claimable',
  });
  const claimed = await claimNamed(store, requestId);
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
  expect(await claimNamed(store, requestId)).toEqual({
    kind: 'leased',
    lease: { holder_name: null, expires_at: expect.any(String), place: null },
  });
  await fail(store, claimed.work);
  expect(await claimNamed(store, requestId)).toEqual({ kind: 'not_claimable' });
  expect(await claimNamed(store, requestId, { channels: ['manual_phone_call'] })).toMatchObject({
    kind: 'claimed',
    work: { channel: 'manual_phone_call' },
  });
});

// Two people who name one request at once would otherwise both call the payer.
test('of two that name one request at once, one has it', async () => {
  await queue.empty();
  const requestId = await aWaiting();
  const answers = await Promise.all(
    [store, rival, store, rival].map((each) => claimNamed(each, requestId).then(({ kind }) => kind)),
  );
  expect(answers.toSorted()).toEqual(['claimed', 'leased', 'leased', 'leased']);
});

test('a payer that takes no more at once has no room for a named request either', async () => {
  await queue.empty();
  const routes = [aRoute(['agent_web_portal'], { inFlightCountMax: 1 })];
  const [first, second] = [await aWaiting(), await aWaiting()];
  expect(await claimNamed(store, first, { routes })).toMatchObject({ kind: 'claimed' });
  expect(await claimNamed(store, second, { routes })).toEqual({ kind: 'not_claimable' });
});

test('what is not there, or is live and asked for by a test caller, is not found', async () => {
  await queue.empty();
  const requestId = await aWaiting();
  expect(await claimNamed(store, 'req_x')).toEqual({ kind: 'not_found' });
  const tester = { ...aPlatformCaller(), mode: 'test' as const };
  expect(await claimNamed(store, requestId, { caller: tester })).toEqual({ kind: 'not_found' });
});

// Without it a request of a test account that the sandbox passes on while a live verifier claims could reach that verifier.
test('what moved to another pool after it was chosen is not leased', async () => {
  await queue.empty();
  const requestId = await aWaiting();
  const chosen = sql`(select ${requestId}::text as id, 'entry' as queue, 'agent_web_portal' as channel, 60 as seconds_max,
    3 as attempt_count_max, 1 as place, 1 as candidate_count)`;
  const lease = (pool: 'live' | 'test') =>
    leaseChosen(
      store,
      { caller: aVerifier(), routes: [ROUTE], leaseSeconds: LEASE_SECONDS, operation: 'work.claim' },
      { chosen, pool, limit: 1, isNamed: false },
    );
  expect((await lease('test')).leased).toEqual([]);
  expect((await lease('live')).leased).toHaveLength(1);
});
