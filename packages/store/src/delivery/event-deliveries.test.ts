import type { EventType } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  claimFor,
  finish,
} from '../../test/ground/stages.ts';
import {
  type Caller,
  claimDueDeliveries,
  countRequests,
  createApiKey,
  createEndpoint,
  endEndpoint,
  getDelivery,
  redeliverExhausted,
  redeliverMatching,
  searchDeliveries,
  subscribe,
  subscriptionIdOf,
  testEndpoint,
  updateEndpoint,
} from '../index.ts';
import type { MatchingRedelivery } from './redeliver-matching.ts';

// A delivery of an event is listed, read and sent again like one of a result.

const stores = await openTestStores();
const { store, rival } = stores;

const exhausted = {
  outcome: 'http_error',
  statusCode: 500,
  next: { kind: 'exhausted', reason: 'webhook_exhausted' },
} as const;
const SINCE = new Date('2000-01-01T00:00:00Z');

async function anEndpoint(caller: Caller, ...types: EventType[]): Promise<string> {
  const url = 'https://events.example:8443/taken';
  const created = await createEndpoint(store, { caller, url, types, secret: aWebhookSecret() });
  if (created.kind !== 'created') throw new Error('The account has too many.');
  return created.endpoint.endpoint_id;
}

/** The one delivery of an event of this account that is due. */
async function claimEventOf({ accountId }: Caller) {
  const free = { perHost: 1_000, perAccount: 1_000, hosts: new Map(), lanes: new Map() };
  const { claimed } = await claimDueDeliveries(store, { limit: 100, freeSlots: free, after: null });
  const found = claimed.find((one) => one.accountId === accountId && one.eventId !== null);
  if (!found) throw new Error('No event is due.');
  return found;
}

/** A test of the endpoint that it refused at every attempt. */
async function aGivenUp(caller: Caller, endpointId: string) {
  await testEndpoint(store, { caller, endpointId });
  const claimed = await claimEventOf(caller);
  await finish(store, claimed, exhausted);
  return claimed;
}

type Changes = Partial<Omit<MatchingRedelivery, 'caller'>>;
async function match(caller: Caller, changes: Changes = {}, through = store) {
  const filters = { caller, status: 'exhausted', since: SINCE, limit: 1_000, token: null } as const;
  const done = await redeliverMatching(through, { ...filters, ...changes });
  if (done.kind === 'other_token') throw new Error('The token is of another count.');
  return done.answer;
}

async function exhaustedOf(caller: Caller, token: string | null = null, host?: string) {
  const done = await redeliverExhausted(store, { caller, since: SINCE, limit: 1_000, token, host });
  if (done.kind === 'other_token') throw new Error('The token is of another count.');
  return done.answer;
}

const listed = async (caller: Caller, filter: object = {}) =>
  (await searchDeliveries(store, { caller, limit: 100, ...filter })).items;

// Broke: what an endpoint lost was counted for its host, and was in no list and in no redelivery.
test('a list has the deliveries of results and of events, and one is read with its attempts', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.failed');
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, requestId));
  const { deliveryId, eventId } = await aGivenUp(caller, endpointId);
  const [ofEvent, ofResult, ...others] = await listed(caller);
  expect(others).toEqual([]);
  expect(ofResult).toMatchObject({
    request_id: requestId,
    version: 1,
    event_id: null,
    event_type: null,
    endpoint_id: null,
  });
  expect(ofEvent).toMatchObject({
    delivery_id: deliveryId,
    request_id: null,
    account_id: caller.accountId,
    account_name: 'Clinic',
    payer: null,
    patient_initials: null,
    version: null,
    event_id: eventId,
    event_type: 'endpoint.test',
    endpoint_id: endpointId,
    status: 'exhausted',
    reason: 'webhook_exhausted',
    host: 'events.example:8443',
    last_outcome: 'http_error',
    last_status_code: 500,
  });
  expect(await getDelivery(store, { caller, deliveryId })).toMatchObject({
    kind: 'found',
    delivery: { ...ofEvent, attempts: [{ number: 1, outcome: 'http_error', response_snippet: null }] },
  });
  expect((await accessLines(stores, caller)).slice(-2)).toEqual([
    ['deliveries.list', requestId],
    ['deliveries.get', null],
  ]);
  for (const filter of [
    { status: 'exhausted' },
    { host: 'events.example:8443' },
    { statusCode: 500 },
    { accountId: caller.accountId, order: 'oldest', reason: 'webhook_exhausted' },
  ])
    expect(await listed(caller, filter), JSON.stringify(filter)).toEqual([ofEvent]);
  expect(await listed(caller, { requestId })).toEqual([ofResult]);
  expect(await listed(aPlatformCaller(), { accountId: caller.accountId })).toEqual([ofEvent, ofResult]);
  expect((await countRequests(store, { caller })).given_up_count).toBe(1);
  const stranger = await anAccount(store);
  expect(await listed(stranger)).toEqual([]);
  expect(await getDelivery(store, { caller: stranger, deliveryId })).toEqual({ kind: 'not_found' });
});

// Without it an endpoint that was down could never get what it lost, or would get it as another message.
test('what an endpoint lost is counted, and goes out again as it was, once', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.failed');
  const first = await aGivenUp(caller, endpointId);
  const counted = await match(caller, { host: 'events.example:8443' });
  expect(counted).toEqual({ matching: 1, redelivered: 0, more: false, token: expect.any(String) });
  const { token } = counted;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      match(caller, { host: 'events.example:8443', token }, index % 2 ? store : rival),
    ),
  );
  expect(answers.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(1);
  const again = await claimEventOf(caller);
  expect(again).toMatchObject({
    deliveryId: first.deliveryId,
    eventId: first.eventId,
    roundAttemptNumber: 1,
    message: first.message,
  });
  await finish(store, again);
  const read = await getDelivery(store, { caller, deliveryId: first.deliveryId });
  expect(read).toMatchObject({
    kind: 'found',
    delivery: { status: 'delivered', attempts: [{ number: 1 }, { number: 2, outcome: 'succeeded' }] },
  });
  expect(await match(caller, { status: 'delivered' })).toMatchObject({ matching: 1 });
});

// Without it a provider would have to send everything again for the one event that it lost.
test('one delivery is sent again by its id, of an event or of a result', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.failed');
  const event = await aGivenUp(caller, endpointId);
  await aGivenUp(caller, endpointId);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const result = await claimFor(store, requestId);
  await finish(store, result, exhausted);
  for (const { deliveryId } of [event, result]) {
    const { matching, token } = await match(caller, { deliveryId });
    expect(matching).toBe(1);
    expect(await match(caller, { deliveryId, token })).toMatchObject({ redelivered: 1 });
    expect(await match(caller, { deliveryId })).toMatchObject({ matching: 0, token: null });
  }
  for (const [who, deliveryId] of [
    [caller, 'no delivery'],
    [await anAccount(store), event.deliveryId],
  ] as const)
    expect(await match(who, { deliveryId })).toMatchObject({ matching: 0 });
  expect(await match(caller)).toMatchObject({ matching: 1 });
});

test('results and events that are exhausted are counted and go out together, or those of one host', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.failed');
  await aGivenUp(caller, endpointId);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, requestId), exhausted);
  expect(await exhaustedOf(caller, null, 'events.example:8443')).toMatchObject({ matching: 1 });
  const { matching, token } = await exhaustedOf(caller);
  expect(matching).toBe(2);
  expect(await exhaustedOf(caller, token)).toMatchObject({ redelivered: 2 });
  expect((await listed(caller)).map(({ status }) => status)).toEqual(['pending', 'pending']);
  const lines = (await accessLines(stores, caller)).filter(
    ([name]) => name === 'deliveries.redeliverExhausted',
  );
  expect(lines.at(-1)).toEqual(['deliveries.redeliverExhausted', requestId]);
});

// Without it a count would promise what is then given up unsent, at an address that its owner gave up.
test('nothing goes again to an endpoint that is off, also if it was counted before', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.failed');
  await aGivenUp(caller, endpointId);
  const { token } = await match(caller);
  await updateEndpoint(store, { caller, endpointId, isEnabled: false });
  expect(await match(caller, { token })).toMatchObject({ matching: 1, redelivered: 0 });
  expect(await match(caller)).toMatchObject({ matching: 0, token: null });
  expect(await exhaustedOf(caller)).toMatchObject({ matching: 0, token: null });
  await updateEndpoint(store, { caller, endpointId, isEnabled: true });
  expect(await match(caller)).toMatchObject({ matching: 1 });
  await endEndpoint(store, { caller, endpointId });
  expect(await match(caller)).toMatchObject({ matching: 0 });
});

// Without it an operator would be shown, and repeat, what an agent's program has long forgotten.
test('what goes to a subscription over MCP is not listed, not counted and not repeated', async () => {
  const owner = await anAccount(store);
  const made = await createApiKey(store, {
    caller: aPlatformCaller(),
    accountId: owner.accountId,
    scopes: ['requests'],
    name: 'agent',
    expiresAt: null,
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  const caller = { ...owner, keyId: made.key.key_id };
  const key = { name: 'request.answered', wanted: {}, url: 'https://agent.example/' } as const;
  const id = subscriptionIdOf(store.vault, caller.keyId, key);
  await subscribe(store, { caller, id, key, secret: aWebhookSecret(), ttlSeconds: 600 });
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const claimed = await claimEventOf(caller);
  await finish(store, claimed, exhausted);
  expect((await listed(caller)).map((one) => one.request_id)).toEqual([requestId]);
  expect(await getDelivery(store, { caller, deliveryId: claimed.deliveryId })).toEqual({ kind: 'not_found' });
  expect(await match(caller)).toMatchObject({ matching: 0 });
  expect((await countRequests(store, { caller })).given_up_count).toBe(0);
});
