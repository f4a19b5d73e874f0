import { VerificationSource } from '@insurance-verification/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake, PAYER_ID } from '../../../test/ground/stages.ts';
import { aRoute, claim, workQueue } from '../../../test/ground/work-queue.ts';
import { LIVE_COUNT_MAX } from '../../facts/queue-depths.ts';
import { countClaimable } from '../../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const [mine, other] = [await anAccount(store), await anAccount(store)];
const requests = await Promise.all(
  Array.from({ length: 12 }, async (_, index) => {
    const caller = index % 2 === 0 ? mine : other;
    return (await intake(store, caller)).request_id;
  }),
);

const places = fc.record({
  channel: fc.constantFrom('entry', ...VerificationSource.options),
  lease: fc.constantFrom('none', 'held', 'lapsed'),
  isPostponed: fc.boolean(),
  callBack: fc.constantFrom('none', 'anyone', 'me', 'colleague'),
});
const channelSets = fc.uniqueArray(fc.constantFrom(...VerificationSource.options), { minLength: 1 });
const cases = fc.record({
  places: fc.array(places, { minLength: requests.length, maxLength: requests.length }),
  route: channelSets,
  skipsUnattended: fc.boolean(),
  attended: channelSets,
  channels: channelSets,
  isOfOneAccount: fc.boolean(),
});

// Without it Work would say that nothing waits while Next has hundreds, and a verifier would go home.
test('it counts what repeated claims give, by channel and with its oldest', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const caller = {
        ...aPlatformCaller(),
        ...(given.isOfOneAccount && { verifyWithin: { account_ids: [mine.accountId] } }),
      };
      await arrange(given.places, given.attended, caller.keyId);
      const asked = {
        caller,
        channels: given.channels,
        routes: [aRoute(given.route, { skipsUnattended: given.skipsUnattended })],
      };
      const counted = await countClaimable(store, asked);
      expect(counted.map(({ channel }) => channel)).toEqual(given.route);
      const claimed = await claimAll(asked);
      expect(Object.fromEntries(counted.map(({ channel, count }) => [channel, count]))).toEqual(
        Object.fromEntries(
          given.route.map((source) => [source, claimed.filter(({ channel }) => channel === source).length]),
        ),
      );
      for (const { count, oldestSeconds } of counted) expect(oldestSeconds === null).toBe(count === 0);
    }),
    { numRuns: 60 },
  );
});

// Without it Work would not say that something is late, or when the next is needed.
test('of what claims give, the late are counted, and the next of the others is named', async () => {
  await arrange(
    requests.map((_, index) => ({
      channel: 'entry',
      lease: index === 5 ? 'held' : 'none',
      isPostponed: false,
    })),
    [],
  );
  for (const [index, minutes] of [
    [0, -30],
    [1, -1],
    [2, 45],
    [4, 90],
    [5, 5],
  ] as const)
    await sql(`update work_queue set needed_by = now() + make_interval(mins => $2) where request_id = $1`, [
      requests[index],
      minutes,
    ]);
  const asked = { channels: ['api' as const], routes: [aRoute(['api'])] };
  const ofAll = await countClaimable(store, { caller: aPlatformCaller(), ...asked });
  expect(ofAll).toMatchObject([{ count: 11, lateCount: 2 }]);
  expect(minutesTo(ofAll[0]?.nextNeededAt)).toBe(45);
  const ofOne = { ...aPlatformCaller(), verifyWithin: { account_ids: [other.accountId] } };
  expect(await countClaimable(store, { caller: ofOne, ...asked })).toMatchObject([
    { lateCount: 1, nextNeededAt: null },
  ]);
});

const minutesTo = (at: Date | null | undefined) => Math.round(((at?.getTime() ?? 0) - Date.now()) / 60_000);

// Without it a test account's verifier would read how much waits for a live account that somebody kept them to.
test('of accounts of the other mode nothing is counted, as nothing is leased', async () => {
  await arrange(
    requests.map(() => ({ channel: 'entry', lease: 'none', isPostponed: false })),
    [],
  );
  const caller = { ...aPlatformCaller('test'), verifyWithin: { account_ids: [mine.accountId] } };
  const asked = { caller, channels: ['api' as const], routes: [aRoute(['api'])] };
  expect(await countClaimable(store, asked)).toMatchObject([{ count: 0, oldestSeconds: null }]);
  expect(await claim(store, asked)).toEqual([]);
});

// A long queue is counted by housekeeping, so that a page of fifty verifiers does not read a million rows each.
test('of a long queue it reads the last count', async () => {
  await arrange(
    requests.map(() => ({ channel: 'entry', lease: 'none', isPostponed: false })),
    [],
  );
  const asked = { caller: aPlatformCaller(), channels: ['api' as const], routes: [aRoute(['api'])] };
  const count = async () => (await countClaimable(store, asked)).map((one) => [one.count, one.lateCount]);
  expect(await count()).toEqual([[requests.length, 0]]);
  await sql(
    `insert into queue_count (queue, row_count, duration_ms, counted_at) values ('work', $1, 1, now())`,
    [LIVE_COUNT_MAX + 1],
  );
  await sql(
    `insert into queue_depth (queue, account_id, payer_id, channel, waiting_count, leased_count, overdue_count,
       claimable_count, oldest_claimable_at, late_count)
     values ('work', 'live', $1, 'entry', 900, 20, 0, 910, now() - interval '60 seconds', 17)`,
    [PAYER_ID],
  );
  expect(await count()).toEqual([[910, 17]]);
});

async function arrange(
  given: readonly { channel: string; lease: string; isPostponed: boolean; callBack?: string }[],
  attended: string[],
  keyId?: string,
) {
  await queue.empty();
  for (const [index, { channel, lease, isPostponed, callBack = 'none' }] of given.entries()) {
    await sql(
      `update work_queue set channel = $2, attempt_count = 0,
         waits_since = now() + make_interval(secs => $3), postponed = $3 > 0,
         needed_by = null, lease = case when $4 = 'none' then null else gen_random_uuid() end,
         leased_at = case when $4 <> 'none' then now() - interval '1 minute' end,
         leased_until = case $4 when 'held' then now() + interval '1 hour' when 'lapsed' then now() - interval '1 second' end
       where request_id = $1`,
      [requests[index], channel, isPostponed && lease === 'none' ? 3_600 : -index, lease],
    );
    if (callBack !== 'none' && channel.endsWith('_phone_call') && lease === 'none' && !isPostponed)
      await sql(
        `update work_queue set call_back_at = now() - interval '1 minute', postponed = true,
           call_back_by = case $2 when 'me' then $3::text when 'colleague' then 'key_colleague' end,
           call_back_is_own = $2 in ('me', 'colleague'),
           waits_since = now() + make_interval(mins => case $2 when 'anyone' then -1 else 14 end)
         where request_id = $1`,
        [requests[index], callBack, keyId],
      );
  }
  await sql('delete from channel_attendance');
  for (const channel of attended)
    await sql('insert into channel_attendance (payer_id, channel) values ($1, $2)', [PAYER_ID, channel]);
}

async function claimAll(asked: Parameters<typeof countClaimable>[1]) {
  const all = [];
  for (;;) {
    const [work] = await claim(store, asked);
    if (!work) return all;
    all.push(work);
  }
}
