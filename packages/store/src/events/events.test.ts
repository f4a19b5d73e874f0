import type { EventType, WebhookEvent } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  claimFor,
  finish,
  hold,
  intake,
  submit,
} from '../../test/ground/stages.ts';
import {
  advanceWork,
  applyHeldOutput,
  type Caller,
  claimDueDeliveries,
  countEndpointFailures,
  createEndpoint,
  endEndpoint,
  giveUpDelivery,
  listEndpoints,
  listEvents,
  migrate,
  removeExpired,
  rotateEndpoint,
  rotateWebhookSecret,
  testEndpoint,
  updateEndpoint,
  writeOverdueEvents,
} from '../index.ts';
import { writeEvent } from './write-event.ts';

const { store, rival, sql, connectionString } = await openTestStores();

const anEndpoint = async (caller: Caller, ...types: EventType[]) => {
  const secret = aWebhookSecret();
  const url = 'https://user:word@receiver.example/events';
  const created = await createEndpoint(store, { caller, url, types, secret });
  if (created.kind !== 'created') throw new Error('The account has too many.');
  return created.endpoint;
};

const shownOf = async (caller: Caller, listing: object = {}) =>
  (await listEvents(store, { caller, limit: 100, ...listing })).items;

/** The events once all show: a transaction that is open in another database of the server holds back what came later. */
const eventsOf = async (...listing: Parameters<typeof shownOf>) => {
  await until('every event shows', async () => {
    const hidden = await sql(`select from event
      where written_by >= pg_snapshot_xmin(pg_current_snapshot()) and written_by < pg_snapshot_xmax(pg_current_snapshot())`);
    return hidden.length === 0;
  });
  return shownOf(...listing);
};

const claimEvents = async () => {
  const free = { perHost: 1_000, perAccount: 1_000, hosts: new Map(), lanes: new Map() };
  const { claimed } = await claimDueDeliveries(store, { limit: 100, freeSlots: free, after: null });
  return claimed.filter(({ eventId }) => eventId !== null);
};

/** The one delivery of an event to this account's endpoint that is due. */
const claimEventOf = async ({ accountId }: Caller) => {
  const claimed = (await claimEvents()).find((one) => one.accountId === accountId);
  if (!claimed?.message) throw new Error('No event is due.');
  return { ...claimed, message: claimed.message };
};

// Without it a provider that lost a callback would not learn from the events that a result exists.
test('a first result is one event, a correction another, numbered in the order of what happened', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId, ...answered } = await aFinishedRequest(store, caller);
  const heldId = await hold(store, anOutput({ request_id: requestId, ...answered }, { insurance_data: [] }));
  const operator = aPlatformCaller();
  expect(await applyHeldOutput(store, { caller: operator, heldId })).toMatchObject({ kind: 'applied' });
  const failed = await intake(store, caller);
  await submit(store, anOutput(failed, { state: 'error_verifying', error_reason: 'member_not_found' }));
  expect((await eventsOf(caller)).map(({ type, number, data }) => [type, number, data])).toEqual([
    ['request.answered', 1, { request_id: requestId, version: 1 }],
    ['result.corrected', 3, { request_id: requestId, version: 2 }],
    ['request.failed', 1, { request_id: failed.request_id, version: 1 }],
  ]);
  const ofRequest = await eventsOf(operator, { subject: requestId });
  expect(ofRequest.map(({ type, number }) => [type, number])).toEqual([
    ['request.answered', 1],
    ['request.held', 2],
    ['result.corrected', 3],
  ]);
});

// Without it two events would have one number, or a reader would wait for one that never comes.
test('results, held outputs and lost deliveries at once leave the numbers of a request without a gap', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  const { request_id: requestId } = request;
  const lost = await claimFor(store, requestId);
  const acts = Array.from({ length: 12 }, (_, index) => async () => {
    const [here, there] = index % 2 ? [store, rival] : [rival, store];
    const heldId = await hold(here, anOutput(request, { notes: `another ${index}` }));
    return applyHeldOutput(there, { caller, heldId });
  });
  const outcome = { outcome: 'gone', next: { kind: 'exhausted', reason: 'webhook_gone' } } as const;
  const [isLost] = await Promise.all([finish(rival, lost, outcome), ...acts.map((act) => act())]);
  // A list is in the order of the transactions, which may have begun before they got the lock.
  const listed = (await eventsOf(aPlatformCaller(), { subject: requestId })).toSorted(
    (one, other) => (one.number ?? 0) - (other.number ?? 0),
  );
  expect(listed.map(({ number }) => number)).toEqual(listed.map((_, index) => index + 1));
  expect(listed).toHaveLength(1 + 2 * acts.length + Number(isLost));
  const versions = listed.flatMap(({ type, data }) => (type === 'result.corrected' ? [data.version] : []));
  expect(versions).toEqual(acts.map((_, index) => index + 2));
  expect(await sql('select event_count as count from request where id = $1', [requestId])).toEqual([
    { count: listed.length },
  ]);
});

// Without it a receiver that compares bytes, or reads members in order, would take one event for two.
test('an event is posted as the contract shows it, member by member', async () => {
  const caller = await anAccount(store);
  await anEndpoint(caller, 'request.answered');
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const { message, eventId } = await claimEventOf(caller);
  const [row] = await sql<{ occurred_at: Date }>('select occurred_at from event where id = $1', [eventId]);
  expect(String(message.body)).toBe(
    `{"id":"${eventId}","type":"request.answered","account_id":"${caller.accountId}",` +
      `"occurred_at":"${row?.occurred_at.toISOString()}","number":1,"data":{"request_id":"${requestId}","version":1}}`,
  );
});

// Without it operators would learn of held outputs only by looking.
test('a held output is an event for operators only, and once for a repeat', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  const held = await hold(store, anOutput(request, { insurance_data: [] }));
  await submit(store, anOutput(request, { insurance_data: [] }));
  const types = async (who: Caller) =>
    (await eventsOf(who, { subject: request.request_id })).map(({ type, data }) => [type, data.held_id]);
  expect(await types(caller)).toEqual([['request.answered', undefined]]);
  expect(await types(aPlatformCaller())).toEqual([
    ['request.answered', undefined],
    ['request.held', held],
  ]);
});

// Without it a provider would notice a late answer only by asking.
test('a late request is an event once; one that was answered is not late', async () => {
  const caller = await anAccount(store);
  const neededBy = new Date(Date.now() - 60_000);
  const late = await intake(store, caller, undefined, { neededBy });
  await intake(store, caller, undefined, { neededBy: new Date(Date.now() + 3_600_000) });
  const answered = await intake(store, caller, undefined, { neededBy });
  await submit(store, anOutput(answered));
  expect(await advanceWork(store, [])).toMatchObject({ hasLate: true });
  await Promise.all([writeOverdueEvents(store), writeOverdueEvents(rival)]);
  await writeOverdueEvents(store);
  expect(await advanceWork(store, [])).toMatchObject({ hasLate: false });
  const found = await eventsOf(caller, { type: 'request.overdue' });
  expect(found.map(({ data, number }) => [data, number])).toEqual([[{ request_id: late.request_id }, 1]]);
});

// Without it an account would not know that a result never reached it, or get events about it for ever.
test('a result that could not be delivered is an event, and an event that could not be delivered is not', async () => {
  const caller = await anAccount(store);
  await anEndpoint(caller, 'delivery.exhausted');
  const exhausted = {
    outcome: 'http_error',
    statusCode: 500,
    next: { kind: 'exhausted', reason: 'webhook_exhausted' },
  } as const;
  const first = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, first.request_id), exhausted);
  const second = await aFinishedRequest(store, caller);
  await giveUpDelivery(store, await claimFor(store, second.request_id));
  const found = async () =>
    (await eventsOf(caller, { type: 'delivery.exhausted' })).map(({ data }) => data.request_id);
  expect(await found()).toEqual([first.request_id, second.request_id]);
  for (const claimed of (await claimEvents()).filter((one) => one.accountId === caller.accountId))
    await finish(store, claimed, exhausted);
  expect(await found()).toHaveLength(2);
});

// Without it an endpoint would get what it did not ask for, or what is of another account.
test('an event is posted to the endpoints of its account that have its type, signed with their own secret', async () => {
  const caller = await anAccount(store);
  const endpoint = await anEndpoint(caller, 'request.answered');
  await anEndpoint(caller, 'request.failed');
  await anEndpoint(await anAccount(store), 'request.answered');
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const claimed = (await claimEvents()).filter(({ message }) => message?.secrets.includes(endpoint.secret));
  expect(claimed).toEqual([
    expect.objectContaining({
      requestId: null,
      version: null,
      isEndpointOff: false,
      message: {
        callbackUrl: 'https://user:word@receiver.example/events',
        secrets: [endpoint.secret],
        body: expect.any(Buffer),
      },
    }),
  ]);
  const posted = JSON.parse(String(claimed[0]?.message?.body)) as WebhookEvent;
  const [{ deliveries, ...listed } = { deliveries: [] }] = await eventsOf(caller, { subject: requestId });
  expect(posted).toEqual(listed);
  expect(deliveries).toMatchObject([{ endpoint_id: endpoint.endpoint_id, status: 'pending', attempts: [] }]);
  const [row] = await sql<{ count: number }>(
    'select count(*)::int as count from delivery where event_id = $1',
    [posted.id],
  );
  expect(row?.count).toBe(1);
});

// Without it an operator's system could not follow every account, or a test operator would see live ones.
test('an endpoint of a platform account covers what its caller reaches', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const tester = await anAccount(store, { kind: 'platform', mode: 'test' });
  expect((await anEndpoint(operator, 'request.answered')).covers).toBe('all');
  expect((await anEndpoint(tester, 'request.answered')).covers).toBe('test');
  const live = await aFinishedRequest(store, await anAccount(store));
  const [event] = await eventsOf(operator, { subject: live.request_id });
  expect(event?.deliveries).toHaveLength(1);
  expect(await eventsOf(tester, { subject: live.request_id })).toEqual([]);
  const { rows: all } = { rows: await sql('select from delivery where event_id = $1', [event?.id]) };
  expect(all).toHaveLength(1);
  for (const caller of [operator, tester])
    for (const { endpoint_id: endpointId } of await listEndpoints(store, { caller }))
      await endEndpoint(store, { caller, endpointId });
});

// Broke in the design: a reader that follows ids misses an event whose transaction commits after a later id's.
test('a reader that follows `after` misses no event that was committed late', async () => {
  const caller = await anAccount(store);
  const read: string[] = [];
  const follow = async (list = eventsOf) => {
    for (const { id } of await list(caller, { after: read.at(-1) })) read.push(id);
  };
  const next = () => rotateWebhookSecret(rival, { caller, next: aWebhookSecret() });
  await next();
  await follow();
  expect(read).toHaveLength(1);
  let lateId = '';
  await store.db.transaction().execute(async (trx) => {
    const { accountId } = caller;
    const about = { type: 'endpoint.test', accountId, subjectId: accountId, data: {} } as const;
    lateId = await writeEvent({ ...store, db: trx }, about);
    await next();
    await follow(shownOf);
    expect(read).toHaveLength(1); // the other one is committed, and must not come first
  });
  await follow();
  expect(read).toHaveLength(3);
  const [early, late, other] = read;
  expect([early, late, other]).toEqual([early, lateId, other]);
});

// Broke: the list began after another account's event, and so said that there is one of this id.
test('`after` with another account’s event is as if absent', async () => {
  const [caller, other] = [await anAccount(store), await anAccount(store)];
  for (const one of [caller, other])
    await rotateWebhookSecret(store, { caller: one, next: aWebhookSecret() });
  const [after] = await eventsOf(other);
  expect(await eventsOf(caller, { after: after?.id })).toHaveLength(1);
});

// Without it all events after a restored dump would come before, or be hidden by, those that it brought.
test('events restored from another server come before all that this one writes', async () => {
  const caller = await anAccount(store);
  for (let count = 0; count < 3; count += 1)
    await rotateWebhookSecret(store, { caller, next: aWebhookSecret() });
  const before = (await eventsOf(caller)).map(({ id }) => id);
  await sql("update event set written_by = '900000000000' where id = $1", [before[1]]);
  expect(await eventsOf(caller)).toHaveLength(2);
  await migrate({ connectionString });
  await rotateWebhookSecret(store, { caller, next: aWebhookSecret() });
  const after = (await eventsOf(caller)).map(({ id }) => id);
  expect(after.slice(0, 3)).toEqual(before);
  expect(after).toHaveLength(4);
});

// Without it a receiver that is gone would be called for ever, and its owner never notified.
test('an endpoint that only fails is reported after 2 and 24 hours, and disabled after five days', async () => {
  const caller = await anAccount(store);
  const { endpoint_id: endpointId } = await anEndpoint(caller, 'request.answered');
  const failFor = async (interval: string) => {
    await testEndpoint(store, { caller, endpointId });
    await sql('update webhook_endpoint set failing_since = now() - $2::interval where id = $1', [
      endpointId,
      interval,
    ]);
    const claimed = await claimEventOf(caller);
    await finish(store, claimed, {
      outcome: 'http_error',
      statusCode: 500,
      next: { kind: 'exhausted', reason: 'webhook_exhausted' },
    });
  };
  for (const interval of ['1 hour', '3 hours', '4 hours', '25 hours', '30 hours', '121 hours'])
    await failFor(interval);
  const reported = (await eventsOf(caller)).filter(({ type }) => type !== 'endpoint.test');
  expect(reported.map(({ type, data }) => [type, data.hours ?? data.reason])).toEqual([
    ['endpoint.failing', 2],
    ['endpoint.failing', 24],
    ['endpoint.disabled', 'failing'],
  ]);
  expect(await listEndpoints(store, { caller })).toMatchObject([{ disabled_reason: 'failing' }]);
  expect(await testEndpoint(store, { caller, endpointId })).toEqual({ kind: 'not_found' });
  await updateEndpoint(store, { caller, endpointId, isEnabled: true });
  await testEndpoint(store, { caller, endpointId });
  await finish(store, await claimEventOf(caller));
  expect(await listEndpoints(store, { caller })).toMatchObject([
    { disabled_at: null, disabled_reason: null, failing_since: null },
  ]);
});

// Without it one success in between would not save an endpoint that works again.
test('an event that is taken ends the failing; a 410 disables at once', async () => {
  const caller = await anAccount(store);
  const { endpoint_id: endpointId } = await anEndpoint(caller, 'request.answered');
  await sql(
    "update webhook_endpoint set failing_since = now() - interval '4 days', told_hours = 24 where id = $1",
    [endpointId],
  );
  await testEndpoint(store, { caller, endpointId });
  await finish(store, await claimEventOf(caller));
  expect(await listEndpoints(store, { caller })).toMatchObject([{ failing_since: null }]);
  await testEndpoint(store, { caller, endpointId });
  await finish(store, await claimEventOf(caller), {
    outcome: 'gone',
    statusCode: 410,
    next: { kind: 'exhausted', reason: 'webhook_gone' },
  });
  expect(await listEndpoints(store, { caller })).toMatchObject([{ disabled_reason: 'gone' }]);
});

// Without it no alert would fire when endpoints take nothing.
test('endpoints that fail for two hours are counted, and those that were disabled for it, by why', async () => {
  const caller = await anAccount(store);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.push((await anEndpoint(caller, 'request.answered')).endpoint_id);
  const [soon = '', failing = '', off = '', gone = '', paused = ''] = ids;
  const before = await countEndpointFailures(store);
  const failFor = async (endpointId: string, interval: string, attempt: object = {}) => {
    await testEndpoint(store, { caller, endpointId });
    await sql('update webhook_endpoint set failing_since = now() - $2::interval where id = $1', [
      endpointId,
      interval,
    ]);
    await finish(store, await claimEventOf(caller), {
      outcome: 'http_error',
      statusCode: 500,
      next: { kind: 'exhausted', reason: 'webhook_exhausted' },
      ...attempt,
    });
  };
  await failFor(soon, '1 hour');
  await failFor(failing, '3 hours');
  await failFor(off, '121 hours');
  await failFor(gone, '1 minute', { outcome: 'gone', statusCode: 410 });
  await updateEndpoint(store, { caller, endpointId: paused, isEnabled: false });
  expect(await countEndpointFailures(store)).toEqual({
    failingCount: before.failingCount + 1,
    disabledCounts: {
      failing: before.disabledCounts.failing + 1,
      gone: before.disabledCounts.gone + 1,
    },
  });
  await updateEndpoint(store, { caller, endpointId: off, isEnabled: true });
  for (const endpointId of [failing, gone]) await endEndpoint(store, { caller, endpointId });
  expect(await countEndpointFailures(store)).toEqual(before);
});

// Without it what was still due would be posted to an address that its owner gave up.
test('what is due to an ended endpoint is claimed as such, and given up', async () => {
  const caller = await anAccount(store);
  const { endpoint_id: endpointId } = await anEndpoint(caller, 'request.answered');
  await testEndpoint(store, { caller, endpointId });
  expect(await endEndpoint(store, { caller, endpointId })).toMatchObject({ kind: 'found' });
  expect(await endEndpoint(store, { caller, endpointId })).toEqual({ kind: 'not_found' });
  const claimed = await claimEventOf(caller);
  expect(claimed.isEndpointOff).toBe(true);
  await giveUpDelivery(store, { ...claimed, reason: 'endpoint_off' });
  const [event] = await eventsOf(caller);
  expect(event?.deliveries).toMatchObject([{ status: 'exhausted', reason: 'endpoint_off', attempts: [] }]);
});

// Without it a receiver that has the old secret would refuse every event, or a leaked one sign for ever.
test('after a rotation both secrets sign, and a second one has to wait', async () => {
  const caller = await anAccount(store);
  const { endpoint_id: endpointId, secret } = await anEndpoint(caller, 'request.answered');
  const next = aWebhookSecret();
  expect(await rotateEndpoint(store, { caller, endpointId, next })).toMatchObject({
    kind: 'rotated',
    secret: { current: next, previous: secret },
  });
  await testEndpoint(store, { caller, endpointId });
  expect((await claimEventOf(caller)).message.secrets).toEqual([next, secret]);
  expect(await rotateEndpoint(store, { caller, endpointId, next: aWebhookSecret() })).toMatchObject({
    kind: 'too_many_rotations',
    retryAfterSeconds: expect.any(Number),
  });
  expect((await eventsOf(caller, { type: 'webhook_secret.rotated' })).map(({ data }) => data)).toEqual([
    { endpoint_id: endpointId },
  ]);
});

// Without it one account's endpoints would grow without bound, or another account could change them.
test('an account has five endpoints at most, and only its own', async () => {
  const caller = await anAccount(store);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.push((await anEndpoint(caller, 'request.answered')).endpoint_id);
  const sixth = {
    caller,
    url: 'https://receiver.example/',
    types: ['request.answered'] as const,
    secret: aWebhookSecret(),
  };
  expect(await createEndpoint(store, sixth)).toEqual({ kind: 'too_many' });
  const [endpointId = ''] = ids;
  const other = await anAccount(store);
  expect(await updateEndpoint(store, { caller: other, endpointId, isEnabled: false })).toEqual({
    kind: 'not_found',
  });
  expect(await testEndpoint(store, { caller: other, endpointId: '\0' })).toEqual({ kind: 'not_found' });
  await endEndpoint(store, { caller, endpointId });
  expect(await createEndpoint(store, sixth)).toMatchObject({ kind: 'created' });
  const [first] = await listEndpoints(store, { caller });
  expect(first?.url).toBe('https://receiver.example/events');
});

// Without it events would be kept for ever, or one be removed that is still due.
test('events are removed after 30 days with their deliveries, unless one is still due', async () => {
  const caller = await anAccount(store);
  const { endpoint_id: endpointId } = await anEndpoint(caller, 'request.answered');
  await testEndpoint(store, { caller, endpointId });
  await finish(store, await claimEventOf(caller));
  await testEndpoint(store, { caller, endpointId });
  const [, due] = await eventsOf(caller);
  await sql("update event set occurred_at = now() - interval '31 days' where account_id = $1", [
    caller.accountId,
  ]);
  await endEndpoint(store, { caller, endpointId });
  await sql("update webhook_endpoint set ended_at = now() - interval '31 days' where id = $1", [endpointId]);
  await removeExpired(store);
  expect((await eventsOf(caller)).map(({ id }) => id)).toEqual([due?.id]);
  await giveUpDelivery(store, { ...(await claimEventOf(caller)), reason: 'endpoint_off' });
  await removeExpired(store);
  expect(await eventsOf(caller)).toEqual([]);
  expect(await sql('select from webhook_endpoint where id = $1', [endpointId])).toEqual([]);
});
