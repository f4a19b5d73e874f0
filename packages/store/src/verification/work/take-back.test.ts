import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aPlatformCaller, anAccount, intake } from '../../../test/ground/stages.ts';
import { aRoute, claimOne, fail, release, submitFound, workQueue } from '../../../test/ground/work-queue.ts';
import { type Caller, countFacts, listOwnDone, measureOwnDay, takeBackWork } from '../../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const clinic = await anAccount(store);
const routes = [aRoute(['manual_web_portal', 'manual_phone_call'])];

/** A request that a verifier could not verify in the portal, and that waits for a phone call. */
async function passedOn(verifier: Caller = aPlatformCaller()) {
  await queue.empty();
  await intake(store, clinic);
  const work = await claimOne(store, { caller: verifier, routes, channels: ['manual_web_portal'] });
  const failed = await fail(store, work, { caller: verifier, routes, errorReason: 'portal_two_factor' });
  expect(failed).toEqual({ kind: 'next_channel', channel: 'manual_phone_call' });
  return { verifier, requestId: work.requestId };
}

const takeBack = ({ verifier, requestId }: { readonly verifier: Caller; readonly requestId: string }) =>
  takeBackWork(store, { caller: verifier, requestId, routes, leaseSeconds: 60 });

const doneOf = (caller: Caller) => listOwnDone(store, { caller, since: undefined });

/** The failures of the portal that are counted, of all live accounts. */
async function failureCount(): Promise<number> {
  for (;;) {
    const counted = await countFacts(store, { spanSeconds: 14_400, settledSeconds: 0 });
    if (counted.kind === 'counted' && counted.caughtUp) break;
  }
  const [row] = await sql<{ count: number }>(
    `select coalesce(sum(count), 0)::int as count from hourly_fact
     where account_id = 'live' and kind = 'attempt_failed' and channel = 'manual_web_portal'`,
  );
  return row?.count ?? 0;
}

// Without it a slip of the finger sends a request that takes a minute in the portal to an hour on the phone.
test('the failure does not count, and the attempt continues in its channel under a new lease', async () => {
  const own = await passedOn();
  expect(await doneOf(own.verifier)).toMatchObject([{ outcome: 'failed', can_take_back: true }]);
  const taken = await takeBack(own);
  if (taken.kind !== 'claimed') return expect.fail(`It was not taken back: ${taken.kind}.`);
  expect(taken.work).toMatchObject({ channel: 'manual_web_portal', attemptNumber: 1, history: [] });
  expect(await queue.attempts(own.requestId)).toEqual(['1 manual_web_portal working']);
  expect(await queue.row(own.requestId)).toMatchObject({ channel: 'manual_web_portal', attempt_count: 1 });
  expect(await doneOf(own.verifier)).toEqual([]);
  const since = undefined;
  expect(await measureOwnDay(store, { caller: own.verifier, since })).toMatchObject({ failed_count: 0 });
  expect((await accessLines(stores, own.verifier)).slice(0, 4)).toEqual([
    ['work.claim', own.requestId],
    ['work.fail', own.requestId],
    ['work.done', own.requestId],
    ['work.takeBack', own.requestId],
  ]);
  expect(await submitFound(store, taken.work, { caller: own.verifier })).toEqual({
    kind: 'applied',
    version: 1,
  });
});

// Without it a report shows a failure that its verifier has taken back.
test('the hourly facts count it no more, whether they were counted before or after', async () => {
  const before = await failureCount();
  const own = await passedOn();
  expect(await failureCount()).toBe(before + 1);
  await takeBack(own);
  expect(await failureCount()).toBe(before);
  await takeBack(await passedOn());
  expect(await failureCount()).toBe(before);
  const [row] = await sql<{ kept: number; timed: number }>(
    `select coalesce(sum(count), 0)::int as kept,
       coalesce(sum((select sum(n) from unnest(bucket_counts) as n)), 0)::int as timed
     from hourly_fact where kind = 'attempt_failed'`,
  );
  expect(row?.timed).toBe(row?.kept);
});

const REFUSED: readonly (readonly [string, Caller | null, () => Promise<unknown>, string])[] = [
  ['another verifier', aPlatformCaller(), () => Promise.resolve(), 'not_claimable'],
  [
    'once somebody has leased it',
    null,
    () => claimOne(store, { routes, channels: ['manual_phone_call'] }),
    'leased',
  ],
  [
    'once somebody had leased it',
    null,
    async () => release(store, await claimOne(store, { routes, channels: ['manual_phone_call'] })),
    'not_claimable',
  ],
  [
    'once it has a result',
    null,
    async () => {
      const work = await claimOne(store, { routes, channels: ['manual_phone_call'] });
      await submitFound(store, work, { routes });
    },
    'finished',
  ],
  [
    'where its payer takes no more work',
    null,
    () =>
      sql(`update work_queue set leased_until = now() + interval '1 minute', leased_at = now(), lease = gen_random_uuid(), postponed = false
      where request_id = (select min(request_id::text) from work_queue)`),
    'not_claimable',
  ],
];

// Without it two people would work on one request.
test.each(REFUSED)('it is not taken back: %s', async (_, other, happens, kind) => {
  const own = await passedOn();
  await happens();
  const capped = routes.map((route) => ({ ...route, inFlightCountMax: 1 }));
  const taken = await takeBackWork(store, {
    caller: other ?? own.verifier,
    requestId: own.requestId,
    routes: capped,
    leaseSeconds: 60,
  });
  expect(taken.kind).toBe(kind);
  if (kind !== 'not_claimable' || other) return;
  expect(await queue.attempts(own.requestId)).toContain('1 manual_web_portal failed portal_two_factor');
});

// Breaks if the lease goes to both.
test('of taking it back and a claim in the next channel, one comes first', async () => {
  for (let round = 0; round < 10; round += 1) {
    const own = await passedOn();
    const claim = claimOne(stores.rival, { routes, channels: ['manual_phone_call'] }).catch(() => null);
    const [taken, claimed] = await Promise.all([takeBack(own), claim]);
    expect([taken.kind === 'claimed', claimed !== null].filter(Boolean)).toHaveLength(1);
  }
});

// Without it an outbox that did not get the answer would say that the lease ended before it was sent.
test('the same report of the same lease gets the answer of the first', async () => {
  await queue.empty();
  await intake(store, clinic);
  const verifier = aPlatformCaller();
  const work = await claimOne(store, { caller: verifier, routes, channels: ['manual_web_portal'] });
  const report = { caller: verifier, routes, errorReason: 'portal_two_factor' } as const;
  const first = await fail(store, work, report);
  expect(await fail(store, work, report)).toEqual(first);
  expect(await fail(store, work, { ...report, errorReason: 'member_not_found' })).toEqual({
    kind: 'lease_lost',
  });
  const phone = await claimOne(store, { caller: verifier, routes, channels: ['manual_phone_call'] });
  const last = { ...report, final: true };
  expect(await fail(store, phone, last)).toEqual({ kind: 'error_verifying' });
  expect(await fail(store, phone, last)).toEqual({ kind: 'error_verifying' });
});
