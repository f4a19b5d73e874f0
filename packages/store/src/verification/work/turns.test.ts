import { aRequest } from '@insurance-verification/testing/a-request';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import { claim, claimOne, release, workQueue } from '../../../test/ground/work-queue.ts';
import type { Caller } from '../../index.ts';

vi.setConfig({ testTimeout: 120_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);

const HOUR = 3_600;
const DAY = 24 * HOUR;

interface Waiting {
  /** Seconds since it came. */
  readonly age: number;
  /** Seconds until it is needed, below 0 once that is past; null: its account did not say. */
  readonly neededIn: number | null;
}

const hours = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * HOUR);
const aWaiting = fc.record({
  age: hours(0, 72),
  neededIn: fc.option(
    hours(-48, 200).map((seconds) => seconds + HOUR / 2),
    { nil: null },
  ),
});

/** A request that came and is needed as the row says. */
async function waits(caller: Caller, { age, neededIn }: Waiting): Promise<string> {
  const { request_id: id } = await intake(store, caller);
  await sql(
    `update work_queue set waits_since = now() - make_interval(secs => $2),
       needed_by = now() + make_interval(secs => $3::float8) where request_id = $1`,
    [id, age, neededIn],
  );
  return id;
}

const turnOf = ({ age, neededIn }: Waiting) => neededIn ?? DAY - age;

// Without it a request that is needed at noon would wait behind those of next week.
test('of an account the earliest needed is leased first, and one that does not say counts as needed a day after it came', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(aWaiting, { minLength: 2, maxLength: 12, selector: turnOf }),
      fc.boolean(),
      async (list, atOnce) => {
        await queue.empty();
        const caller = await anAccount(store);
        const ids: [id: string, turn: number][] = [];
        for (const one of list) ids.push([await waits(caller, one), turnOf(one)]);
        const leased: string[] = [];
        while (leased.length < list.length)
          for (const work of await claim(store, { limit: atOnce ? 20 : 1 })) leased.push(work.requestId);
        expect(leased).toEqual(ids.toSorted(([, one], [, other]) => one - other).map(([id]) => id));
      },
    ),
    { numRuns: 30 },
  );
});

/** An hour passes for everything that waits. */
const anHourPasses = () =>
  sql(`update work_queue set waits_since = waits_since - interval '1 hour',
    needed_by = needed_by - interval '1 hour' where not postponed and lease is null`);

// Without it a clinic that always says "in an hour" would never get the answers to its other requests.
test('what came a day later never passes a request that does not say when it is needed', async () => {
  const aRound = fc.array(hours(1, 6), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(aRound, { minLength: 90, maxLength: 90 }), async (rounds) => {
      await queue.empty();
      const caller = await anAccount(store);
      const patient = await waits(caller, { age: 0, neededIn: null });
      const cameAt = new Map<string, number>();
      let passedBy: string[] | null = null;
      const leased: string[] = [];
      for (const [hour, arrivals] of rounds.entries()) {
        for (const neededIn of arrivals) cameAt.set(await waits(caller, { age: 0, neededIn }), hour);
        for (let count = 0; count < 2 && passedBy === null; count += 1) {
          const { requestId } = await claimOne(store);
          if (requestId === patient) passedBy = [...leased];
          leased.push(requestId);
        }
        if (passedBy) break;
        await anHourPasses();
      }
      expect(passedBy).not.toBeNull();
      for (const id of passedBy ?? []) expect(cameAt.get(id)).toBeLessThan(24);
    }),
    { numRuns: 3 },
  );
});

// Without it a clinic that says "now" for all of its requests would be served before every other.
test('an account whose requests are all needed now is served no more often than another', async () => {
  // Of many accounts with something in the queue a claim compares a random part.
  await sql('delete from work_queue');
  const [urgent, calm] = [await anAccount(store), await anAccount(store)];
  for (let count = 0; count < 6; count += 1) {
    await waits(urgent, { age: 0, neededIn: 60 * (count + 1) });
    await waits(calm, { age: 0, neededIn: null });
  }
  const served: string[] = [];
  for (let count = 0; count < 12; count += 1) served.push((await claimOne(store)).accountId);
  for (let pair = 0; pair < 12; pair += 2)
    expect(new Set(served.slice(pair, pair + 2))).toEqual(new Set([urgent.accountId, calm.accountId]));
});

// Broke while it was made: what is leased would stand before what waits, and each claim would read all of it.
test('what is leased, or postponed, comes after what waits, and comes back to its own turn', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const soon = await waits(caller, { age: 0, neededIn: HOUR });
  const later = await waits(caller, { age: 0, neededIn: 2 * HOUR });
  const first = await claimOne(store);
  expect(first.requestId).toBe(soon);
  expect((await claimOne(store)).requestId).toBe(later);
  expect(await claim(store)).toEqual([]);
  await release(store, first);
  await queue.lapse(later);
  expect((await claim(store, { limit: 2 })).map(({ requestId }) => requestId)).toEqual([soon, later]);
});

test('a claim within some accounts follows the same order', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const last = await waits(caller, { age: 0, neededIn: null });
  const first = await waits(caller, { age: 0, neededIn: HOUR });
  const verifyWithin = { account_ids: [caller.accountId] };
  const verifier = {
    keyId: 'key',
    accountId: 'acct',
    mode: 'live' as const,
    acrossAccounts: true,
    verifyWithin,
  };
  const leased = await claim(store, { caller: verifier, limit: 2 });
  expect(leased.map(({ requestId }) => requestId)).toEqual([first, last]);
});

test('the time that intake was given is the one it waits by', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const unsaid = await intake(store, caller);
  const said = await intake(store, caller, aRequest(), { neededBy: new Date(Date.now() + HOUR * 1_000) });
  const leased = await claim(store, { limit: 2 });
  expect(leased.map(({ requestId }) => requestId)).toEqual([said.request_id, unsaid.request_id]);
});
