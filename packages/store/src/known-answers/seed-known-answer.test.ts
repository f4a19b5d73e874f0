import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, aWebhookSecret, claimDue, PAYER_ID } from '../../test/ground/stages.ts';
import { aRoute, claimOne, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import {
  countFacts,
  createEndpoint,
  eraseDue,
  getProof,
  listEvents,
  listKnownAnswers,
  measureWork,
  readReport,
  seedKnownAnswer,
  type Store,
} from '../index.ts';
import { listOwnDone } from '../verification/own-work.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from './known-answers-account.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const operator = await anAccount(store, { kind: 'platform' });
const routes = [aRoute(['manual_phone_call'])];

const seed = (by: Store = store, caller = operator) =>
  seedKnownAnswer(by, {
    caller,
    payerId: PAYER_ID,
    request: aRequest(),
    serviceDate: null,
    neededBy: null,
    answer: { plan_name: 'PPO Gold' },
    createWebhookSecret: aWebhookSecret,
  });

async function seeded(): Promise<string> {
  const made = await seed();
  if (made.kind !== 'seeded') throw new Error(made.kind);
  return made.seeded.request_id;
}

/** A seeded request with a verifier's result. */
async function answered() {
  await workQueue(stores).empty();
  const requestId = await seeded();
  const caller = aPlatformCaller();
  const work = await claimOne(store, { caller, routes, channels: ['manual_phone_call'] });
  expect(work.requestId).toBe(requestId);
  expect(await submitFound(store, work, { caller })).toEqual({ kind: 'applied', version: 1 });
  return { requestId, caller };
}

test('two first seeds at once make one account', async () => {
  const both = await Promise.all([seed(store), seed(rival)]);
  expect(both.map(({ kind }) => kind)).toEqual(['seeded', 'seeded']);
  expect(await sql('select name, kind, mode from account where id = $1', [KNOWN_ANSWERS_ACCOUNT_ID])).toEqual(
    [{ name: '"Known answers"', kind: 'provider', mode: 'live' }],
  );
});

// Without it a key of a test account would put work into the queue of live verifiers.
test('a caller of a test account seeds nothing, and sees none', async () => {
  await seeded();
  const caller = aPlatformCaller('test');
  expect(await seed(store, caller)).toEqual({ kind: 'beyond_reach' });
  expect(await listKnownAnswers(store, { caller, limit: 10 })).toEqual({ items: [], next_cursor: null });
});

// Without it an invented patient's result would be posted, and an operator's endpoint would say that it was answered.
test('its result has no delivery, and it writes no event', async () => {
  await createEndpoint(store, {
    caller: operator,
    url: 'https://operator.example/events',
    types: ['request.answered'],
    secret: aWebhookSecret(),
  });
  const { requestId } = await answered();
  expect(await sql('select from delivery')).toEqual([]);
  expect(await claimDue(store)).toEqual([]);
  expect(await sql('select from event where subject_id = $1', [requestId])).toEqual([]);
  expect((await listEvents(store, { caller: operator, limit: 10 })).items).toEqual([]);
  expect(await getProof(store, { caller: operator, requestId, makesRequests: false })).toEqual({
    kind: 'not_found',
  });
});

// Without it seeding 200 requests would be a busy day in every report.
test.each(['not counted yet', 'counted'])('no report of all accounts has it, %s', async (when) => {
  await answered();
  if (when === 'counted') await countFacts(store, { spanSeconds: 1e9, settledSeconds: 0 });
  const now = Date.now();
  const range = { from: new Date(now - 7_200_000), until: new Date(now + 3_600_000) } as const;
  for (const of of ['requests', 'result_times', 'handling_times'] as const) {
    const report = await readReport(store, {
      of,
      caller: operator,
      accountId: undefined,
      ...range,
      step: 'day',
      zone: 'UTC',
      routes: [],
    });
    const counts = (report.kind === 'reported' ? report.items : []).flatMap((row) => [
      row.received_count ?? 0,
      row.completed_count ?? 0,
      row.count ?? 0,
    ]);
    expect(counts.filter((count) => count > 0)).toEqual([]);
  }
});

// Without it a verifier would notice that the queue does not count what they did, or that a result waits for its delivery.
test('the queue and the verifier’s own day have it as any request', async () => {
  const before = await measureWork(store, { routes, mode: 'live' });
  const { requestId, caller } = await answered();
  const after = await measureWork(store, { routes, mode: 'live' });
  expect((after[0]?.succeeded_count ?? 0) - (before[0]?.succeeded_count ?? 0)).toBe(1);
  expect(await listOwnDone(store, { caller, since: undefined })).toMatchObject([
    { request_id: requestId, outcome: 'succeeded', result_version: 1, delivery: 'delivered' },
  ]);
});

// Broke: retention waits for the last delivery, and these have none.
test('retention erases it with its right answer', async () => {
  const { requestId } = await answered();
  const id = await aged(stores, requestId, 40);
  await sql(`update result set applied_at = applied_at - interval '40 days' where request_id = $1`, [id]);
  await sql('update account set retention_days = 30 where id = $1', [KNOWN_ANSWERS_ACCOUNT_ID]);
  expect(await eraseDue(store, { limit: 10 })).toMatchObject({ kind: 'erased', count: 1 });
  expect(await sql('select octet_length(answer) from known_answer where request_id = $1', [id])).toEqual([
    { octet_length: 0 },
  ]);
  const { items } = await listKnownAnswers(store, { caller: operator, limit: 100 });
  expect(items.find(({ request_id: listed }) => listed === id)).toMatchObject({
    answer: null,
    patient_initials: null,
  });
});
