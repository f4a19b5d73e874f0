import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../test/ground/stages.ts';
import { aRoute, claimOne, fail, ROUTE, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import { QUANTILE_ERROR } from '../facts/histogram.ts';
import { countFacts, measureWork } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

// Without it nobody would see a queue grow, a channel fail, or a payer answer too late.
test('each channel of each route shows what waits, what is worked on and how it has done', async () => {
  const [done, failed, leased, waiting] = [
    await intake(store, caller),
    await intake(store, caller),
    await intake(store, caller),
    await intake(store, caller),
  ];
  for (const [index, request] of [done, failed, leased, waiting].entries()) {
    await queue.dueSince(request.request_id, 400 - index * 100);
  }
  await sql(`update request set received_at = now() - interval '50 seconds' where id = $1`, [
    done.request_id,
  ]);
  await submitFound(store, await claimOne(store));
  await fail(store, await claimOne(store));
  await claimOne(store);
  await queue.dueSince(waiting.request_id, 4_000);
  await intake(store, await anAccount(store, { mode: 'test' }));

  const other = aRoute(['api'], { payerId: 'plan-2' });
  const measure = () => measureWork(store, { routes: [ROUTE, other], mode: 'live' });
  const [portal, phone, api] = await measure();
  expect(portal).toMatchObject({
    payer_id: ROUTE.payerId,
    channel: 'agent_web_portal',
    waiting_count: 1,
    leased_count: 1,
    overdue_count: 1,
    succeeded_count: 1,
    failed_count: 1,
    within_20_seconds_share: 1,
    failures: [{ error_reason: 'member_not_found', count: 1 }],
  });
  expect(portal?.oldest_seconds).toBeGreaterThanOrEqual(4_000);
  expect(portal?.seconds_to_result_p50).toBeGreaterThanOrEqual(50 * (1 - QUANTILE_ERROR));
  expect(phone).toMatchObject({
    channel: 'manual_phone_call',
    waiting_count: 1,
    overdue_count: 0,
    failures: [],
  });
  expect(api).toEqual({
    payer_id: 'plan-2',
    channel: 'api',
    waiting_count: 0,
    leased_count: 0,
    on_call_count: 0,
    in_portal_count: 0,
    overdue_count: 0,
    oldest_seconds: null,
    succeeded_count: 0,
    failed_count: 0,
    seconds_to_result_p50: null,
    seconds_to_result_p90: null,
    within_20_seconds_share: null,
    failures: [],
  });
  expect(await measureWork(store, { routes: [], mode: 'live' })).toEqual([]);

  // Counted into the facts, everything is the same, and nothing is there twice.
  expect(await countFacts(store, { spanSeconds: 604_800, settledSeconds: 0 })).toMatchObject({
    caughtUp: true,
  });
  const [counted] = await measure();
  expect({ ...counted, oldest_seconds: null }).toEqual({ ...portal, oldest_seconds: null });
});
