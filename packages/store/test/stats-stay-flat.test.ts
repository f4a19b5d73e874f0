import { expect, test, vi } from 'vitest';
import { countFacts, measureWork, type Store } from '../src/index.ts';
import { issuedIdAt } from '../src/issued-id.ts';
import { makeMonths } from '../src/partitions/make-months.ts';
import { type Month, startOf } from '../src/partitions/month.ts';
import { monthsPassed } from '../src/testing/months-passed.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { aFinishedRequest, anAccount, intake } from './ground/stages.ts';
import { claimOne, ROUTE, submitFound } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const MONTH_COUNT = 24;
const ROWS_PER_MONTH = 400;

const stats = (on: Store = store) => measureWork(on, { routes: [ROUTE], mode: 'live' });

/** Finished requests of a month, copied from one of today. */
async function fill(month: Month, model: string): Promise<void> {
  const id = `'${issuedIdAt('req', startOf(month) + 86_400_000).slice(0, -5)}' || lpad(n::text, 5, '0')`;
  for (const text of [
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version, received_at)
     select ${id}, account_id, payer_id, payer_name, input, outcome, delivery, version, $2 from request, copy where id = $1`,
    `insert into result (request_id, version, outcome, body, digest, applied_at)
     select ${id}, version, outcome, body, digest, $2 from result, copy where request_id = $1`,
    `insert into verification_attempt (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome,
       result_version)
     select ${id}, number, account_id, payer_id, channel, $2, $2, outcome, result_version
     from verification_attempt, copy where request_id = $1`,
  ])
    await sql(`with copy as (select generate_series(1, ${ROWS_PER_MONTH}) as n) ${text}`, [
      model,
      new Date(startOf(month) + 86_400_000),
    ]);
}

// Broke: what was not counted yet was looked for by the times of all results of every month, 44 ms at a million requests.
test('the figures of the last day read a few pages, however many requests of however many months are done', async () => {
  const caller = await anAccount(store);
  const months = await monthsPassed(stores, MONTH_COUNT);
  await makeMonths(stores.connectionString);
  const { request_id: model } = await aFinishedRequest(store, caller);
  for (const month of months) await fill(month, model);
  await sql('analyze');
  let isCaughtUp = false;
  while (!isCaughtUp) {
    const counted = await countFacts(store, { spanSeconds: 40 * 86_400, settledSeconds: 0 });
    isCaughtUp = counted.kind === 'counted' && counted.caughtUp;
  }
  const [before] = await stats();

  await intake(store, caller);
  await submitFound(store, await claimOne(store));
  const [after] = await stats();
  expect(after?.succeeded_count).toBe((before?.succeeded_count ?? 0) + 1);
  expect(after?.seconds_to_result_p50).not.toBeNull();
  const quiet = await pagesRead(stores, store, stats);
  expect(quiet.pageCount).toBeGreaterThan(0);
  expect(quiet.pageCount).toBeLessThan(100);
  expect(quiet.plans).not.toMatch(/on result_/);

  // Where much happens, figures are what is counted, and nothing else is looked for.
  await sql('update fact_progress set event_count = 100000');
  expect((await stats())[0]?.succeeded_count).toBe(before?.succeeded_count);
  const busy = await pagesRead(stores, store, stats);
  expect(busy.pageCount).toBeLessThan(quiet.pageCount);
  expect(busy.plans).toMatch(/One-Time Filter: \(InitPlan/);
});
