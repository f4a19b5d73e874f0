import { randomUUID } from 'node:crypto';
import { anOutput } from '@insurance-verification/testing/an-output';
import { sql as raw } from 'kysely';
import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedAttempt,
  aFinishedRequest,
  anAccount,
  claimDue,
  claimFor,
  finish,
  hold,
  intake,
  submit,
} from '../../test/ground/stages.ts';
import { theDeliveries, theRequest } from '../../test/ground/the-stored.ts';
import {
  applyHeldOutput,
  type ClaimedDelivery,
  finishAttempts,
  giveUpDelivery,
  redeliver,
  renewLeases,
} from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = deliveryQueue(stores);
const caller = await anAccount(store);

const exhausted = {
  outcome: 'gone',
  statusCode: 410,
  next: { kind: 'exhausted', reason: 'webhook_gone' },
} as const;
const retry = { outcome: 'http_error', statusCode: 500, next: { kind: 'retry', delaySeconds: 300 } } as const;
const stateOfRequest = async (requestId: string) => {
  const { state, error_reason: reason } = await theRequest(store, caller, requestId);
  return [state, reason];
};
const outcomesOf = async (requestId: string) =>
  (await theDeliveries(store, caller, requestId)).flatMap(({ attempts }) =>
    attempts.map(({ outcome }) => outcome),
  );
const claimed = async () => claimFor(store, (await aFinishedRequest(store, caller)).request_id);

// Without it a delivered webhook would be sent again, or its attempt be lost.
test('delivered ends the delivery and keeps the attempt', async () => {
  const lease = await claimed();
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  const snippet = Buffer.from('{"ok":true}');
  expect(await finish(store, lease, { startedAt, durationMs: 42, responseSnippet: snippet })).toBe(true);
  expect(await theDeliveries(store, caller, lease.requestId)).toEqual([
    {
      delivery_id: lease.deliveryId,
      version: 1,
      status: 'delivered',
      next_attempt_at: null,
      paused_since: null,
      attempts: [
        {
          number: 1,
          at: startedAt.toISOString(),
          outcome: 'succeeded',
          status_code: 200,
          duration_ms: 42,
          response_snippet: '{"ok":true}',
        },
      ],
    },
  ]);
  expect(await stateOfRequest(lease.requestId)).toEqual(['complete', null]);
});

// Without it a failing receiver would be called again at once, or never, or the request would show as failed too early.
test('a retry is due after its delay, and the request shows nothing of it', async () => {
  const lease = await claimed();
  await finish(store, lease, retry);
  const row = await queue.row(lease.deliveryId);
  expect(row).toMatchObject({
    status: 'pending',
    lease: null,
    attempt_count: 1,
    round_attempt_count: 1,
    claim_count: 0,
  });
  const [{ wait } = { wait: 0 }] = await sql<{ wait: number }>(
    'select extract(epoch from run_at - now())::float8 as wait from delivery_queue where delivery_id = $1',
    [lease.deliveryId],
  );
  expect(wait).toBeGreaterThan(299);
  expect(wait).toBeLessThanOrEqual(300);
  expect(await stateOfRequest(lease.requestId)).toEqual(['complete', null]);
  await expect(claimFor(store, lease.requestId)).rejects.toThrow('not due');
});

// Without it a client would never learn that its receiver could not be reached.
test('exhausted shows as error_sending_webhook with its reason', async () => {
  const lease = await claimed();
  await finish(store, lease, exhausted);
  expect(await stateOfRequest(lease.requestId)).toEqual(['error_sending_webhook', 'webhook_gone']);
  expect(await theDeliveries(store, caller, lease.requestId)).toMatchObject([
    { status: 'exhausted', next_attempt_at: null },
  ]);
});

// Without it attempts over several claims would overwrite each other.
test('attempts are numbered over all claims', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const lease = await claimFor(store, requestId);
    expect(lease.roundAttemptNumber).toBe(attempt);
    await finish(store, lease, attempt < 3 ? { ...retry, next: { kind: 'retry', delaySeconds: 0 } } : {});
  }
  const [delivery] = await theDeliveries(store, caller, requestId);
  expect(delivery?.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'http_error'],
    [2, 'http_error'],
    [3, 'succeeded'],
  ]);
});

// Without it the end of an old message would show as the correction's.
test('the end of a superseded delivery is not written', async () => {
  const old = await claimed();
  await applyHeldOutput(store, {
    caller,
    heldId: await hold(
      store,
      anOutput(await theRequest(store, caller, old.requestId), {
        notes: 'x',
      }),
    ),
  });
  expect(await finish(store, old, exhausted)).toBe(false);
  expect(await stateOfRequest(old.requestId)).toEqual(['complete', null]);
  const current = await claimFor(store, old.requestId);
  expect(current.version).toBe(2);
  await finish(store, current, exhausted);
  expect(await stateOfRequest(old.requestId)).toEqual(['error_sending_webhook', 'webhook_gone']);
});

// A second safeguard: if an old delivery ever holds a lease again, its end stays its own.
test('the end of an older version’s delivery never shows as the request’s', async () => {
  const request = await aFinishedRequest(store, caller);
  const old = await claimFor(store, request.request_id);
  await applyHeldOutput(store, {
    caller,
    heldId: await hold(store, anOutput(request, { notes: 'correction' })),
  });
  const leaseToken = randomUUID();
  await sql(`update delivery set status = 'pending', done_at = null where id = $1`, [old.deliveryId]);
  await sql(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id, lease, leased_at, leased_until)
     select destination_host, account_id, now(), id, request_id, $2, now(), now() + interval '10 seconds'
     from delivery where id = $1`,
    [old.deliveryId, leaseToken],
  );
  expect(await finish(store, { ...old, leaseToken }, exhausted)).toBe(true);
  expect(await stateOfRequest(request.request_id)).toEqual(['complete', null]);
});

// Without it the reason of a failed verification would be lost when its delivery fails too.
test('the outcome’s reason comes back when a redelivery succeeds', async () => {
  const request = await intake(store, caller);
  await submit(
    store,
    anOutput(request, { state: 'error_verifying', error_reason: 'member_not_found', insurance_data: [] }),
  );
  await finish(store, await claimFor(store, request.request_id), exhausted);
  expect(await stateOfRequest(request.request_id)).toEqual(['error_sending_webhook', 'webhook_gone']);
  await redeliver(store, { caller, requestId: request.request_id });
  await finish(store, await claimFor(store, request.request_id));
  expect(await stateOfRequest(request.request_id)).toEqual(['error_verifying', 'member_not_found']);
});

// Without it a receiver's answer that is not text would be a 500 in the list of deliveries.
test('any bytes may be the snippet', async () => {
  const lease = await claimed();
  await finish(store, lease, { responseSnippet: Buffer.from([0, 255, 0xed, 0xa0, 0x80, 65]) });
  const [delivery] = await theDeliveries(store, caller, lease.requestId);
  expect(delivery?.attempts[0]?.response_snippet).toMatch(/^\0.*A$/);
});

// Without it each finish would cost a separate flush to disk: 600 deliveries a second.
test('many attempts are written at once, each with what follows from it; whose lease is lost, is left out', async () => {
  const [delivered, retried, gone, stale] = [
    await claimed(),
    await claimed(),
    await claimed(),
    await claimed(),
  ];
  await queue.lapse(stale.deliveryId);
  await claimFor(rival, stale.requestId);
  const written = await finishAttempts(store, [
    aFinishedAttempt(stale),
    aFinishedAttempt(gone, exhausted),
    aFinishedAttempt(delivered),
    aFinishedAttempt(retried, { ...retry, responseSnippet: Buffer.from('later') }),
  ]);
  expect(written).toEqual(new Set([delivered.deliveryId, retried.deliveryId, gone.deliveryId]));
  expect(await finishAttempts(store, [])).toEqual(new Set());
  expect(
    await Promise.all([delivered, retried, gone, stale].map((one) => outcomesOf(one.requestId))),
  ).toEqual([['succeeded'], ['http_error'], ['gone'], ['worker_lost']]);
  expect(await Promise.all([delivered, retried, gone].map((one) => stateOfRequest(one.requestId)))).toEqual([
    ['complete', null],
    ['complete', null],
    ['error_sending_webhook', 'webhook_gone'],
  ]);
});

// Without it two processes and the heartbeats would deadlock, and deliveries would be sent again.
test('finishing, renewing and finishing again in any order do not wait in a circle', async () => {
  for (let round = 0; round < 10; round += 1) {
    await queue.empty();
    await Promise.all(Array.from({ length: 12 }, () => aFinishedRequest(store, caller)));
    const leases = await claimDue(store);
    const attempts = leases.map((lease) => aFinishedAttempt(lease));
    const [one, , other] = await Promise.all([
      finishAttempts(store, attempts),
      renewLeases(rival, leases.toReversed()),
      finishAttempts(rival, attempts.toReversed()),
    ]);
    expect(one.size + other.size).toBe(leases.length);
  }
});

// Without it (fault 14) a worker that slept past its lease would overwrite its successor's work.
test.each([
  ['delivered', {}],
  ['retry', retry],
  ['exhausted', exhausted],
])('a stale token changes nothing: %s', async (_, attempt) => {
  const stale = await claimed();
  await queue.lapse(stale.deliveryId);
  const holder = await claimFor(rival, stale.requestId);
  const before = [await queue.row(stale.deliveryId), await stateOfRequest(stale.requestId)];
  expect(await finish(store, stale, attempt)).toBe(false);
  expect([await queue.row(stale.deliveryId), await stateOfRequest(stale.requestId)]).toEqual(before);
  expect(await outcomesOf(stale.requestId)).toEqual(['worker_lost']);
  expect(await finish(rival, holder)).toBe(true);
  expect(await finish(rival, holder)).toBe(false);
});

// Without it an attempt that outlasted its lease without a successor would be sent again.
test('a lapsed lease that was not taken still finishes', async () => {
  const lease = await claimed();
  await queue.lapse(lease.deliveryId);
  expect(await finish(store, lease)).toBe(true);
});

// Without it a worker that waited for the request's lock would overwrite its successor's lease.
test.each([
  ['finishes', (lease: ClaimedDelivery) => finish(store, lease)],
  ['gives up', async (lease: ClaimedDelivery) => (await giveUpDelivery(store, lease)).kind === 'given_up'],
])('who %s too late, having waited for a lock, changes nothing', async (_, end) => {
  const stale = await claimed();
  let ended: Promise<boolean> = Promise.resolve(true);
  await rival.db.transaction().execute(async (trx) => {
    await raw`select from request where id = ${stale.requestId} for no key update`.execute(trx);
    ended = end(stale);
    await expect
      .poll(() =>
        sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      )
      .toHaveLength(1);
    await queue.lapse(stale.deliveryId);
    await claimFor(store, stale.requestId);
  });
  const before = await queue.row(stale.deliveryId);
  expect(await ended).toBe(false);
  expect(await queue.row(stale.deliveryId)).toEqual(before);
  expect(before).toMatchObject({ status: 'pending', attempt_count: 1, claim_count: 2 });
});

// Without it both of two late finishes would count, or the request would show the wrong one.
test('of two workers that finish at once the holder of the lease is written', async () => {
  for (let round = 0; round < 30; round += 1) {
    const stale = await claimed();
    await queue.lapse(stale.deliveryId);
    const holder = await claimFor(rival, stale.requestId);
    expect(await Promise.all([finish(store, stale, exhausted), finish(rival, holder)])).toEqual([
      false,
      true,
    ]);
    expect(await stateOfRequest(stale.requestId)).toEqual(['complete', null]);
  }
});
