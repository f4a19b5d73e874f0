import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import {
  applyHeldOutput,
  claimRequest,
  closeRequest,
  getDraft,
  heartbeatWork,
  insertRequests,
  keepX12Exchanges,
  listRequests,
  listX12Exchanges,
  nextX12ControlNumbers,
  redeliver,
  saveDraft,
  searchRequests,
  viewRequest,
} from '../src/index.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { aPrivacyPerson, erase } from './ground/some-people.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
  PAYER_ID,
  submit,
} from './ground/stages.ts';
import {
  aVerifier,
  claimOne,
  fail,
  LEASE_SECONDS,
  release,
  ROUTE,
  submitFound,
  workQueue,
} from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 30_000 });

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);
const confirmer = await aPrivacyPerson(store);

const erased = { kind: 'erased' };

const anExchange = async (requestId: string) => {
  const [controlNumber = 0] = await nextX12ControlNumbers(store, 1);
  return {
    requestId,
    accountId: caller.accountId,
    payerId: PAYER_ID,
    controlNumber,
    startedAt: new Date(),
    durationMs: 1,
    statusCode: 200,
    errorReason: null,
    payerCodes: [],
    inquiry: 'ISA~',
    answer: Buffer.from('ISA~'),
  };
};

// Without it a verifier would go on with the wrong patient, and what they find would bring the data back.
test('an erasure ends the lease; whatever its verifier still does is answered that the request is erased', async () => {
  await queue.empty();
  const { request_id: id } = await intake(store, caller);
  const verifier = aVerifier();
  const work = await claimOne(store, { caller: verifier });
  const draft = { caller: verifier, requestId: id, content: 'typed', revision: null };
  expect(await saveDraft(store, draft)).toMatchObject({ kind: 'saved' });
  const done = await erase(store, id, { confirmer });
  expect(done).toMatchObject({ erasure: { certificate: { erased: { drafts: 1, results: 0 } } } });
  const lease = { caller: verifier, requestId: id, leaseToken: work.leaseToken };
  expect(await heartbeatWork(store, { ...lease, leaseSeconds: LEASE_SECONDS })).toEqual(erased);
  expect(await saveDraft(store, draft)).toEqual(erased);
  expect(await getDraft(store, { caller: { ...verifier, ownWork: 'alone' }, requestId: id })).toEqual(erased);
  expect(await submitFound(store, work, { caller: verifier })).toEqual(erased);
  expect(await fail(store, work, { caller: verifier })).toEqual(erased);
  expect(await release(store, work)).toEqual(erased);
  const claiming = { caller: aVerifier(), requestId: id, routes: [ROUTE], channels: [], leaseSeconds: 60 };
  expect(await claimRequest(store, claiming)).toEqual(erased);
  expect(await closeRequest(store, { caller, requestId: id, reason: 'closed' })).toEqual(erased);
  expect(await queue.attempts(id)).toEqual(['1 agent_web_portal superseded']);
  const left = await sql(
    `select (select count(*)::int from work_queue where request_id = $1) as queued,
       (select count(*)::int from draft where request_id = $1) as drafts,
       (select count(*)::int from result where request_id = $1) as results`,
    [id],
  );
  expect(left).toEqual([{ queued: 0, drafts: 0, results: 0 }]);
});

test('a request that was erased before it was finished is still listed, found and seen, and says why', async () => {
  const account = await anAccount(store);
  const { request_id: id } = await intake(store, account);
  const younger = await intake(store, account);
  await erase(store, id, { confirmer });
  const row = { request_id: id, state: 'pending', erased_at: expect.any(String) };
  for (const state of ['pending', undefined] as const) {
    const list = await listRequests(store, { caller: account, limit: 10, state });
    expect(list.erased).toMatchObject([row]);
    expect(list.items.map(({ request_id }) => request_id)).toEqual([younger.request_id]);
    const found = await searchRequests(store, { caller: account, routes: [], limit: 10, state });
    expect(found.items).toMatchObject([{ request_id: younger.request_id }, row]);
  }
  expect((await listRequests(store, { caller: account, limit: 10, state: 'complete' })).erased).toEqual([]);
  const viewed = await viewRequest(store, {
    caller: account,
    requestId: id,
    routes: [],
    makesRequests: true,
  });
  expect(viewed).toMatchObject({ view: { ...row, erased_because: 'wrong_patient', revealed: null } });
});

// Without it what the receiver answered, which may repeat the message, would be stored after the erasure.
test('of a message that is being sent nothing is written; it ends as erased, and is not sent again', async () => {
  const { request_id: id } = await aFinishedRequest(store, caller);
  const claimed = await claimFor(store, id);
  await erase(store, id, { confirmer });
  expect(await finish(store, claimed, { responseSnippet: Buffer.from('thank you, Jane') })).toBe(false);
  const deliveries = () =>
    sql(
      `select status, attempt_count, destination, delivery,
         (select count(*)::int from delivery_queue where request_id = $1) as queued
       from delivery join request on request.id = request_id where request_id = $1`,
      [id],
    );
  const ended = [
    { status: 'erased', attempt_count: 0, destination: Buffer.alloc(0), delivery: 'none', queued: 0 },
  ];
  expect(await deliveries()).toEqual(ended);
  expect(await redeliver(store, { caller, requestId: id })).toEqual(erased);
  expect(await deliveries()).toEqual(ended);
});

// Without it a repeat of a post that was in flight would make the wrong patient's request a second time.
test('the Idempotency-Key of its post is remembered, and answers that the request is erased', async () => {
  const post = () =>
    insertRequests(store, [{ caller, payerId: PAYER_ID, input: aRequest(), idempotencyKey: 'visit-7' }]);
  const [made] = await post();
  if (made?.kind !== 'created') throw new Error('It was not created.');
  await erase(store, made.request.request_id ?? '', { confirmer });
  expect(await post()).toEqual([erased]);
});

// Without it the payer's answer, which was under way, would be kept with the patient in it.
test('an exchange with a payer that ends after the erasure is not kept, also one that waited for it', async () => {
  const { request_id: id } = await intake(store, caller);
  const exchange = await anExchange(id);
  await withClient(stores.connectionString, async (client) => {
    await client.query('begin');
    await client.query('lock table draft in access exclusive mode'); // which it writes behind the exchanges
    const erasing = erase(store, id, { confirmer }).catch((err: unknown) => err);
    const waitingCount = async () =>
      (
        await sql(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length;
    await expect.poll(waitingCount).toBe(1);
    const keeping = keepX12Exchanges(rival, [exchange]);
    await expect.poll(waitingCount).toBe(2);
    await client.query('rollback');
    await keeping;
    expect(await erasing).toMatchObject({ kind: 'confirmed' });
  });
  await keepX12Exchanges(rival, [await anExchange(id)]);
  expect(await sql(`select from x12_exchange where request_id = $1 and inquiry <> ''`, [id])).toEqual([]);
  expect(await listX12Exchanges(store, { caller: aPlatformCaller(), requestId: id })).toEqual(erased);
});

/** Encrypted values that are left of a request, and places in a queue. */
const leftOf = (id: string) =>
  sql(
    `select 'request' as of from request where id = $1 and (input <> '' or progress is not null or member_index <> 0 or npi_index <> 0)
     union all select 'result' from result where request_id = $1 and body <> ''
     union all select 'delivery' from delivery where request_id = $1 and (destination <> '' or done_at is null)
     union all select 'snippet' from delivery_attempt join delivery on delivery.id = delivery_id
       where request_id = $1 and response_snippet is not null
     union all select 'evidence' from verification_attempt where request_id = $1 and (evidence is not null or ended_at is null)
     union all select 'exchange' from x12_exchange where request_id = $1 and inquiry <> ''
     union all select 'draft' from draft where request_id = $1
     union all select 'held' from held_output where $1 = any (array[request_id, named_request_id] || other_request_ids)
     union all select 'queued' from work_queue where request_id = $1
     union all select 'queued' from delivery_queue where request_id = $1`,
    [id],
  );

// Without it one of many that touch a request at the moment of its erasure would leave something behind it.
test('after a result, a lease, a delivery, a redelivery, a held apply, a correction and strangers, nothing is left', async () => {
  for (let round = 0; round < 6; round += 1) {
    await queue.empty();
    const open = await intake(store, caller);
    const work = await claimOne(store);
    const finished = await aFinishedRequest(store, caller);
    const claimed = await claimFor(store, finished.request_id);
    const heldId = await hold(store, anOutput(finished, { notes: `correction ${round}` }));
    const sent = await aFinishedRequest(store, caller);
    await finish(store, await claimFor(store, sent.request_id));
    const exchange = await anExchange(open.request_id);
    const stranger = { caller: null, client: '203.0.113.7', trusted: false };
    const mixed = (notes: string) =>
      anOutput(sent, {
        insurance_data: [
          { ...anOutput(sent, { notes }).insurance_data[0], request_id: open.request_id } as never,
        ],
      });
    const asked = [open, finished, sent].map(async ({ request_id: id }) => erase(store, id, { confirmer }));
    const beside = [
      submitFound(rival, work, { evidence: { note: 'Jane is covered' } }),
      keepX12Exchanges(rival, [exchange]),
      saveDraft(rival, { caller: aVerifier(), requestId: open.request_id, content: 'Jane', revision: null }),
      submit(rival, anOutput(open, { notes: 'another' })),
      submit(rival, mixed(`keyed ${round}`)),
      submit(rival, mixed(`of a stranger ${round}`), stranger),
      submit(rival, anOutput(open, { notes: `stranger ${round}` }), stranger),
      finish(rival, claimed, { responseSnippet: Buffer.from('Jane') }),
      applyHeldOutput(rival, { caller: aPlatformCaller(), heldId }),
      submit(rival, anOutput(finished, { notes: `corrected ${round}` })),
      redeliver(rival, { caller, requestId: sent.request_id }),
    ];
    const [done] = await Promise.all([Promise.all(asked), Promise.all(beside)]);
    expect(done.map(({ kind }) => kind)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    for (const { request_id: id } of [open, finished, sent]) expect(await leftOf(id)).toEqual([]);
  }
});
