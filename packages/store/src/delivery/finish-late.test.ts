import { sql as raw } from 'kysely';
import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish } from '../../test/ground/stages.ts';
import { theDeliveries, theRequest } from '../../test/ground/the-stored.ts';
import { type ClaimedDelivery, giveUpDelivery } from '../index.ts';

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
