import { sql as raw } from 'kysely';
import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue, claimFor, finish } from '../../test/ground/stages.ts';
import { type ClaimedDelivery, LEASE_SECONDS, releaseLeases, renewLeases } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = deliveryQueue(stores);
const caller = await anAccount(store);

const aLease = async () => claimFor(store, (await aFinishedRequest(store, caller)).request_id);
const secondsLeft = async ({ deliveryId }: ClaimedDelivery) => {
  const [row] = await sql<{ left: number }>(
    'select extract(epoch from leased_until - now())::float8 as left from delivery_queue where delivery_id = $1',
    [deliveryId],
  );
  return row?.left ?? 0;
};

// Without it a lease would lapse before the first renewal, or a dead worker's row would wait too long (≤ 11 s).
test('a claim holds for ten seconds, a renewal for ten more', async () => {
  const lease = await aLease();
  expect(LEASE_SECONDS).toBe(10);
  expect(await secondsLeft(lease)).toBeGreaterThan(9);
  await queue.lapse(lease.deliveryId, -1);
  expect(await renewLeases(store, [lease])).toEqual(new Set([lease.deliveryId]));
  expect(await secondsLeft(lease)).toBeGreaterThan(9);
  expect(await secondsLeft(lease)).toBeLessThanOrEqual(10);
});

// Without it (fault 14) a worker stopped past its lease would continue beside its successor.
test('only leases that still hold are renewed, each by its own token', async () => {
  const [holds, lapsed, taken, done] = [await aLease(), await aLease(), await aLease(), await aLease()];
  await queue.lapse(taken.deliveryId);
  await claimFor(rival, taken.requestId);
  await queue.lapse(lapsed.deliveryId, 0);
  await finish(store, done);
  const forged = { ...holds, leaseToken: lapsed.leaseToken };
  expect(await renewLeases(store, [lapsed, taken, done, forged])).toEqual(new Set());
  expect(await renewLeases(store, [holds, lapsed, taken, done])).toEqual(new Set([holds.deliveryId]));
  expect(await secondsLeft(lapsed)).toBeLessThanOrEqual(0);
  expect(await renewLeases(store, [])).toEqual(new Set());
});

const setClockBack = (deliveryId: string, seconds: number) =>
  sql(
    `update delivery_queue set leased_at = leased_at + make_interval(secs => $2),
       leased_until = leased_until + make_interval(secs => $2) where delivery_id = $1`,
    [deliveryId, seconds],
  );

// Without it a delivery whose worker died before the clock was set back would wait for as long as the step.
test('a lease that was taken later than in five seconds has lapsed', async () => {
  await queue.empty();
  const lease = await aLease();
  await setClockBack(lease.deliveryId, 4);
  expect(await claimDue(rival, 10)).toEqual([]);
  await setClockBack(lease.deliveryId, 3600);
  expect((await claimDue(rival, 10)).map(({ deliveryId }) => deliveryId)).toEqual([lease.deliveryId]);
  const [attempt] = await sql<{ outcome: string; duration_ms: number }>(
    'select outcome, duration_ms from delivery_attempt where delivery_id = $1',
    [lease.deliveryId],
  );
  expect(attempt).toEqual({ outcome: 'worker_lost', duration_ms: 0 });
});

// Without it a clock set back would give each delivery that is being sent to one worker after the other.
test('a renewal keeps a lease over a clock that is set back', async () => {
  await queue.empty();
  const lease = await aLease();
  await setClockBack(lease.deliveryId, 3600);
  expect(await renewLeases(store, [lease])).toEqual(new Set([lease.deliveryId]));
  expect(await secondsLeft(lease)).toBeLessThanOrEqual(LEASE_SECONDS);
  expect(await claimDue(rival, 10)).toEqual([]);
});

// Without it every rolling restart would cost the receiver attempts, and twenty restarts the row.
test('a released row is due at once and charged nothing', async () => {
  await queue.empty();
  const lease = await aLease();
  await releaseLeases(store, [lease]);
  expect(await queue.row(lease.deliveryId)).toMatchObject({
    lease: null,
    leased_until: null,
    claim_count: 0,
    attempt_count: 0,
    round_attempt_count: 0,
  });
  expect((await claimDue(rival, 10)).map(({ deliveryId }) => deliveryId)).toEqual([lease.deliveryId]);
});

// Without it a draining process would free a row that another process is sending.
test('a row that another worker holds is not released', async () => {
  const stale = await aLease();
  await queue.lapse(stale.deliveryId);
  const holder = await claimFor(rival, stale.requestId);
  const before = await queue.row(stale.deliveryId);
  await releaseLeases(store, [stale]);
  await releaseLeases(store, []);
  expect(await queue.row(stale.deliveryId)).toEqual(before);
  expect(await renewLeases(rival, [holder])).toEqual(new Set([holder.deliveryId]));
});

// Without it hundreds of concurrent renewals, releases and claims would deadlock, and living workers would lose leases.
test('renewing and releasing in any order do not wait in a circle', async () => {
  await queue.empty();
  await Promise.all(Array.from({ length: 20 }, () => aFinishedRequest(store, caller)));
  const leases = await claimDue(store);
  for (let round = 0; round < 50; round += 1) {
    await Promise.all([
      renewLeases(store, leases),
      renewLeases(rival, leases.toReversed()),
      renewLeases(
        store,
        leases.toSorted(() => Math.random() - 0.5),
      ),
    ]);
  }
  await Promise.all([releaseLeases(store, leases), releaseLeases(rival, leases.toReversed())]);
  expect(await renewLeases(store, leases)).toEqual(new Set());
});

// Without it one row in a hanging commit would cost all deliveries in progress their leases, so they would be sent
// again.
test('next to a row that another transaction holds, the other leases are renewed', async () => {
  const [held, other] = [await aLease(), await aLease()];
  await store.db.transaction().execute(async (trx) => {
    await raw`select from delivery_queue where delivery_id = ${held.deliveryId} for update`.execute(trx);
    await expect(renewLeases(rival, [held, other])).rejects.toMatchObject({ code: '55P03' });
    const renewed = await renewLeases(rival, [held, other], { skipLocked: true });
    expect(renewed).toEqual(new Set([other.deliveryId]));
  });
});

// Without it each lease would write to four indexes, and leave four dead entries for vacuum.
test('a claim, a renewal and a release change no index', async () => {
  await queue.empty();
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await store.db.transaction().execute(async (trx) => {
    const within = { ...store, db: trx };
    const lease = await claimFor(within, requestId);
    await renewLeases(within, [lease]);
    await releaseLeases(within, [lease]);
    const { rows } = await raw`
      select pg_stat_get_xact_tuples_updated('delivery_queue'::regclass)::int as updated,
        pg_stat_get_xact_tuples_hot_updated('delivery_queue'::regclass)::int as hot`.execute(trx);
    expect(rows).toEqual([{ updated: 3, hot: 3 }]);
  });
});
