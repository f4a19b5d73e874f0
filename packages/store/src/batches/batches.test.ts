import { randomUUID } from 'node:crypto';
import type { Batch, BatchMode, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, claimDue, intake, PAYER_ID, submit } from '../../test/ground/stages.ts';
import {
  aRoute,
  aVerifier,
  claim,
  fail,
  LEASE_SECONDS,
  release,
  ROUTE,
  submitFound,
  workQueue,
} from '../../test/ground/work-queue.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import {
  acceptStaged,
  addBatchRows,
  applyHeldOutput,
  beginBatch,
  type BatchReceiver,
  type BatchRowSent,
  type Caller,
  cancelBatch,
  claimRequest,
  closeRequest,
  completeBatch,
  endBatches,
  getBatch,
  keepBatches,
  leaveBatch,
  listBatchErrors,
  listBatchResults,
  removeExpired,
  renewReceiver,
  type Store,
} from '../index.ts';
import { eraseRequests } from '../retention/erase-requests.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);

const aRow = (row: number): BatchRowSent => ({
  row,
  text: `row ${row}`,
  reference: `r${row}`,
  request: { payerId: PAYER_ID, input: aRequest(), serviceDate: null, neededBy: null },
  faults: null,
});

const aBadRow = (row: number): BatchRowSent => ({
  ...aRow(row),
  request: null,
  faults: [{ loc: ['body'], msg: 'Field required', type: 'missing' }],
});

interface Begin {
  readonly key?: string;
  readonly mode?: BatchMode;
}

const begin = (caller: Caller, { key = randomUUID(), mode = 'accept_valid' }: Begin = {}) =>
  beginBatch(store, { caller, idempotencyKey: key, head: mode, mode, label: null });

async function begun(caller: Caller, options: Begin = {}): Promise<BatchReceiver> {
  const made = await begin(caller, options);
  if (made.kind !== 'begun') throw new Error(`It was not begun: ${made.kind}.`);
  return made.receiver;
}

/** A batch of valid rows, all received. */
async function aBatch(caller: Caller, count: number, mode: BatchMode = 'accept_valid'): Promise<string> {
  const receiver = await begun(caller, { mode });
  await addBatchRows(
    store,
    receiver,
    Array.from({ length: count }, (_, index) => aRow(index + 1)),
  );
  await completeBatch(store, receiver, count);
  await acceptStaged(store, receiver.batchId);
  return receiver.batchId;
}

/** What the jobs do with open batches, until nothing is left to do. */
async function keepAll(inStore: Store = store): Promise<void> {
  while ((await keepBatches(inStore)).mayHaveMore);
  await endBatches(inStore);
}

async function read(caller: Caller, batchId: string) {
  const found = await getBatch(store, { caller, batchId });
  if (found.kind !== 'found') throw new Error('There is no such batch.');
  expect(found.batch.counters).toEqual(await countedFromRows(batchId));
  return found.batch;
}

/** The counters of a batch, counted from its rows and their requests. */
async function countedFromRows(batchId: string): Promise<Batch['counters']> {
  const places = await sql<{ place: keyof Batch['counters'] }>(
    `select case
        when batch_row.errors is not null then 'rejected'
        when request.erased_at is not null then 'erased'
        when request.outcome = 'complete' then 'answered'
        when closed then 'closed'
        when request.outcome = 'error_verifying' then 'failed'
        when exists (select from held_output where held_output.request_id = request.id and status = 'held') then 'held'
        when leased_until > now() then 'working'
        else 'waiting'
      end as place
    from batch_row left join request on request.id = batch_row.request_id
    left join work_queue on work_queue.request_id = request.id
    where batch_row.batch_id = $1`,
    [batchId],
  );
  const countOf = (name: string) => places.filter(({ place }) => place === name).length;
  return {
    received: places.length,
    rejected: countOf('rejected'),
    waiting: countOf('waiting'),
    working: countOf('working'),
    held: countOf('held'),
    answered: countOf('answered'),
    failed: countOf('failed'),
    closed: countOf('closed'),
    erased: countOf('erased'),
  };
}

// Without it a client that sends a file again would have every row twice.
test('one call at a time adds rows, and one that was lost adds none', async () => {
  const caller = await anAccount(store);
  const first = await begun(caller, { key: 'nightly' });
  await addBatchRows(store, first, [aRow(1)]);
  expect(await begin(caller, { key: 'nightly' })).toEqual({ kind: 'in_progress' });
  await sql(`update batch set receiving_until = now() where id = $1`, [first.batchId]);
  expect((await read(caller, first.batchId)).state).toBe('incomplete');
  const second = await begun(caller, { key: 'nightly' });
  expect(second).toMatchObject({ batchId: first.batchId, storedCount: 1 });
  expect(await addBatchRows(store, first, [aRow(2)])).toEqual({ kind: 'lost' });
  expect(await completeBatch(store, first, 1)).toEqual({ kind: 'lost' });
  expect(await addBatchRows(store, second, [aRow(2)])).toEqual({ kind: 'added' });
  await leaveBatch(store, first); // it left long ago
  expect((await read(caller, first.batchId)).state).toBe('receiving');
  expect(await completeBatch(store, second, 2)).toEqual({ kind: 'completed' });
  expect(await begin(caller, { key: 'nightly' })).toMatchObject({ kind: 'complete', isCutOff: false });
  expect(await begin(caller, { key: 'nightly', mode: 'all_or_nothing' })).toEqual({
    kind: 'idempotency_key_reused',
  });
  const other = await anAccount(store);
  expect((await begun(other, { key: 'nightly' })).batchId).not.toBe(first.batchId);
});

// Without it a chunk that was stored twice at a lost commit, or in part, would count wrong.
test('a row that cannot be stored leaves nothing of its chunk', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller);
  await expect(addBatchRows(store, receiver, [aRow(1), aRow(1)])).rejects.toThrow();
  expect((await read(caller, receiver.batchId)).counters).toMatchObject({ received: 0 });
  expect(await sql('select from request where account_id = $1', [caller.accountId])).toEqual([]);
});

test('rows of an all_or_nothing batch that was cut off become no requests, and after a day they are rejected', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const receiver = await begun(caller, { mode: 'all_or_nothing' });
  await addBatchRows(store, receiver, [aRow(1), aRow(2)]);
  await leaveBatch(store, receiver);
  await keepAll();
  expect(await read(caller, receiver.batchId)).toMatchObject({
    state: 'incomplete',
    counters: { waiting: 2 },
  });
  expect(await claim(store, { limit: 5 })).toEqual([]);
  await sql(`update batch set received_at = now() - interval '25 hours' where id = $1`, [receiver.batchId]);
  await keepAll();
  await keepAll();
  expect(await read(caller, receiver.batchId)).toMatchObject({
    state: 'ended',
    outcome: 'none',
    counters: { rejected: 2 },
  });
});

test('valid rows that were cut off are worked on, and after a day the batch takes no more', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const receiver = await begun(caller, { key: 'cut' });
  await addBatchRows(store, receiver, [aRow(1), aBadRow(2)]);
  await leaveBatch(store, receiver);
  const [work] = await claim(store);
  await sql(`update batch set received_at = now() - interval '25 hours' where id = $1`, [receiver.batchId]);
  await keepAll();
  expect(await begin(caller, { key: 'cut' })).toMatchObject({ kind: 'complete', isCutOff: true });
  expect(await read(caller, receiver.batchId)).toMatchObject({
    state: 'running',
    counters: { working: 1, rejected: 1 },
  });
  await submitFound(store, work as NonNullable<typeof work>);
  await keepAll();
  expect(await read(caller, receiver.batchId)).toMatchObject({ state: 'ended', outcome: 'some' });
});

// Without it a service that ended between the last row and the first request would never work on any.
test('another process accepts what a lost call has staged', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller, { mode: 'all_or_nothing' });
  await addBatchRows(
    store,
    receiver,
    Array.from({ length: 450 }, (_, index) => aRow(index + 1)),
  );
  await completeBatch(store, receiver, 450);
  expect(await sql('select from work_queue where batch_id = $1', [receiver.batchId])).toHaveLength(0);
  await Promise.all([keepAll(), keepAll(stores.rival)]);
  expect(await sql('select from work_queue where batch_id = $1', [receiver.batchId])).toHaveLength(450);
  expect(await sql('select from request where account_id = $1', [caller.accountId])).toHaveLength(450);
});

test('a batch that is canceled while its rows are staged makes no request of them', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller, { mode: 'all_or_nothing' });
  await addBatchRows(store, receiver, [aRow(1)]);
  await cancelBatch(store, { caller, batchId: receiver.batchId });
  expect(await addBatchRows(store, receiver, [aRow(2)])).toEqual({ kind: 'cut_off' });
  expect(await completeBatch(store, receiver, 1)).toEqual({ kind: 'completed' });
  await keepAll();
  expect(await read(caller, receiver.batchId)).toMatchObject({ state: 'ended', counters: { closed: 1 } });
  expect(
    await listBatchResults(store, { caller, batchId: receiver.batchId, limit: 9, after: 0 }),
  ).toMatchObject({
    items: [{ row: 1, reference: 'r1', requestId: null, state: 'failed', error: 'withdrawn' }],
  });
});

// Without it a batch's counters would drift with the first path that changes a request and forgets them.
test('its counters are those of its rows, whatever happens to these in any order', async () => {
  const caller = await anAccount(store);
  const operator = await anAccount(store, { kind: 'platform' });
  const correct = async ({ request_id: requestId }: RequestModel, output: ResponseModel) => {
    await submit(store, output);
    const held = await sql<{ id: string }>('select id from held_output where request_id = $1', [requestId]);
    for (const { id } of held) await applyHeldOutput(store, { caller: operator, heldId: id });
  };
  const steps = {
    answer: (request: RequestModel) => submit(store, anOutput(request)),
    hold: (request: RequestModel) => submit(store, anOutput(request), { trusted: false }),
    correct: (request: RequestModel) => correct(request, anOutput(request)),
    correctToFailed: (request: RequestModel) =>
      correct(request, anOutput(request, { state: 'error_verifying', insurance_data: [] })),
    lease: (request: RequestModel) => lease(request.request_id),
    fail: async (request: RequestModel) => {
      const claimed = await lease(request.request_id);
      if (claimed.kind === 'claimed') await fail(store, claimed.work, { final: true });
    },
    close: ({ request_id: requestId }: RequestModel) =>
      closeRequest(store, { caller, requestId: requestId ?? '', reason: 'withdrawn' }),
    erase: ({ request_id: requestId }: RequestModel) => erase(requestId),
    keep: () => Promise.all([keepAll(), keepAll(stores.rival)]),
  };
  const names = Object.keys(steps) as (keyof typeof steps)[];
  const step = fc.tuple(fc.constantFrom(...names), fc.nat(2));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (taken) => {
      const batchId = await aBatch(caller, 3);
      const ids = await sql<{ id: string }>(
        'select request_id as id from batch_row where batch_id = $1 order by row',
        [batchId],
      );
      for (const [name, index] of taken) {
        await steps[name]({
          request_id: ids[index]?.id ?? null,
          input: aRequest(),
          received_timestamp: new Date().toISOString(),
          state: 'pending',
        });
        const found = await getBatch(store, { caller, batchId });
        expect(found).toMatchObject({ batch: { counters: await countedFromRows(batchId) } });
      }
    }),
    { numRuns: 30 },
  );
});

// Without it payers are asked, and people lease requests, for a quarter of an hour after the cancel of a large file.
test('of a canceled batch nothing is leased from its cancel on, and what goes back to the queue is not either', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const batchId = await aBatch(caller, 12);
  const [work] = await claim(store, { limit: 1 });
  await cancelBatch(store, { caller, batchId });
  expect(await claim(store, { limit: 50 })).toEqual([]);
  await release(store, work as NonNullable<typeof work>);
  expect(await claim(store, { limit: 50 })).toEqual([]);
  expect(await lease((work as NonNullable<typeof work>).requestId)).toEqual({ kind: 'not_claimable' });
  await keepAll();
  expect(await read(caller, batchId)).toMatchObject({
    state: 'ended',
    outcome: 'none',
    canceled_by: caller.keyId,
    counters: { closed: 12 },
  });
});

// Without it a request that was verified for nothing would be the rule of a race.
test('claims that race with a cancel lease nothing after it', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const batchId = await aBatch(caller, 40);
  let isCanceled = false;
  const late: string[] = [];
  const claiming = [store, stores.rival].map(async (inStore) => {
    for (let round = 0; round < 12; round += 1) {
      const wasCanceled = isCanceled;
      const works = await claim(inStore, { limit: 1 });
      if (wasCanceled) late.push(...works.map(({ requestId }) => requestId));
    }
  });
  await cancelBatch(store, { caller, batchId });
  isCanceled = true;
  await Promise.all(claiming);
  expect(late).toEqual([]);
});

test('while a canceled batch is closed, another one of its account is claimed, and others end', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const large = await aBatch(caller, 450);
  const other = await aBatch(caller, 1);
  await cancelBatch(store, { caller, batchId: large });
  expect(await keepBatches(store)).toEqual({ mayHaveMore: true });
  expect((await read(caller, large)).counters).toMatchObject({ closed: 200, waiting: 250 });
  await finishAll(store, 1);
  await endBatches(store);
  expect(await read(caller, other)).toMatchObject({ state: 'ended', outcome: 'all' });
  expect((await read(caller, large)).state).toBe('canceling');
  await Promise.all([keepAll(), keepAll(stores.rival)]);
  expect(await read(caller, large)).toMatchObject({ state: 'ended', counters: { closed: 450 } });
});

test('many staged rows of a canceled batch are dropped, some at a time', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller, { mode: 'all_or_nothing' });
  for (let first = 1; first <= 5_400; first += 600)
    await addBatchRows(
      store,
      receiver,
      Array.from({ length: 600 }, (_, index) => aRow(first + index)),
    );
  await cancelBatch(store, { caller, batchId: receiver.batchId });
  expect(await keepBatches(store)).toEqual({ mayHaveMore: true });
  await keepAll();
  expect(await read(caller, receiver.batchId)).toMatchObject({ state: 'ended', counters: { closed: 5_400 } });
});

// Without it two answered rows said that none was, once retention had erased them.
test('the outcome is the one of its end, whatever becomes of its rows', async () => {
  const caller = await anAccount(store);
  const outcomes = [];
  for (const answered of [0, 1, 2]) {
    await queue.empty();
    const batchId = await aBatch(caller, 2);
    await finishAll(store, answered);
    if (answered < 2) await cancelBatch(store, { caller, batchId });
    await keepAll();
    const { outcome } = await read(caller, batchId);
    const rows = await sql<{ id: string }>('select request_id as id from batch_row where batch_id = $1', [
      batchId,
    ]);
    for (const { id } of rows) await erase(id);
    await keepAll();
    expect(await read(caller, batchId)).toMatchObject({ outcome, counters: { erased: 2 } });
    outcomes.push(outcome);
  }
  expect(outcomes).toEqual(['none', 'some', 'all']);
});

test('a call whose bytes come keeps its batch, and one that leaves says how many rows are stored', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller, { key: 'slow' });
  await addBatchRows(store, receiver, [aRow(1), aRow(2)]);
  await sql(`update batch set receiving_until = now() + interval '1 second' where id = $1`, [
    receiver.batchId,
  ]);
  await renewReceiver(store, receiver);
  expect(
    await sql(`select receiving_until > now() + interval '5 seconds' as renewed from batch where id = $1`, [
      receiver.batchId,
    ]),
  ).toEqual([{ renewed: true }]);
  expect(await leaveBatch(store, receiver)).toBe(2);
  const second = await begun(caller, { key: 'slow' });
  await renewReceiver(store, receiver); // it has left
  expect(await begin(caller, { key: 'slow' })).toEqual({ kind: 'in_progress' });
  expect(await leaveBatch(store, second)).toBe(2);
});

const lease = (requestId: string | null) =>
  claimRequest(store, {
    caller: aVerifier(),
    requestId: requestId ?? '',
    routes: [ROUTE],
    channels: ['agent_web_portal', 'manual_phone_call'],
    leaseSeconds: LEASE_SECONDS,
  });

const erase = (requestId: string | null) =>
  store.db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('request')
      .select(['id', 'account_id', 'outcome_reason'])
      .where('id', '=', requestId)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .execute();
    if (found.length > 0) await eraseRequests(trx, store, found);
  });

// Without it a nightly file of ten thousand would come before a patient at the desk.
test('single requests of an account come before its batches, whatever is needed when', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  await aBatch(caller, 3);
  const { request_id: single } = await intake(store, caller);
  const late = await intake(store, caller, aRequest(), { neededBy: new Date('9999-12-31T00:00:00Z') });
  const works = await claim(store, { limit: 2 });
  expect(works.map(({ requestId }) => requestId)).toEqual([single, late.request_id]);
});

// Breaks if a night takes four times as long at a payer that nobody else asks, or if a single request waits for it.
test('a batch by itself has nine of ten of its payer’s places, at least one', async () => {
  await queue.empty();
  const [caller, other] = [await anAccount(store), await anAccount(store)];
  await aBatch(caller, 30);
  const routes = [aRoute(['agent_web_portal'], { inFlightCountMax: 20 })];
  expect(await claim(store, { routes, limit: 20 })).toHaveLength(18);
  expect(await claim(store, { routes, limit: 20 })).toEqual([]);
  await aBatch(other, 1);
  expect(await claim(store, { routes, limit: 20 })).toHaveLength(1);
  const narrow = [aRoute(['agent_web_portal'], { inFlightCountMax: 1 })];
  await queue.empty();
  await aBatch(caller, 3);
  expect(await claim(store, { routes: narrow, limit: 2 })).toHaveLength(1);
});

test('a batch has a quarter of its payer’s places while others wait, and single requests pass it', async () => {
  await queue.empty();
  const [caller, other] = [await anAccount(store), await anAccount(store)];
  await aBatch(caller, 20);
  await aBatch(other, 20);
  const routes = [aRoute(['agent_web_portal'], { inFlightCountMax: 8 })];
  const [paced] = await claim(store, { routes, limit: 1, batchLimit: 1 });
  const first = [paced, ...(await claim(store, { routes, limit: 10 }))];
  expect(first).toHaveLength(4);
  expect(await claim(store, { routes, limit: 10 })).toEqual([]);
  const { request_id: theirs } = await intake(store, other);
  const { request_id: own } = await intake(store, caller);
  const passing = await claim(store, { routes, limit: 10 });
  expect(passing.map(({ requestId }) => requestId).toSorted()).toEqual([own, theirs].toSorted());
  const [done] = first;
  await submitFound(store, done as NonNullable<typeof done>, { routes });
  expect(await claim(store, { routes, limit: 10 })).toHaveLength(1);
  const narrow = [aRoute(['agent_web_portal'], { inFlightCountMax: 3 })];
  expect(await claim(store, { routes: narrow, limit: 10 })).toEqual([]);
  const kept = { ...caller, acrossAccounts: true, verifyWithin: { account_ids: [caller.accountId] } };
  expect(await claim(store, { caller: kept, routes, limit: 10 })).toEqual([]);
});

test('its deliveries are a lane of their own, with a quarter of the slots', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  await aBatch(caller, 8);
  await finishAll(store, 8);
  const { request_id: single } = await intake(store, caller);
  await finishAll(store, 1);
  const claimed = await claimDue(store, 100, { perHost: 100, perAccount: 8 });
  const own = claimed.filter(({ accountId }) => accountId === caller.accountId);
  expect(own.map(({ lane }) => lane).toSorted()).toEqual([
    caller.accountId,
    `${caller.accountId}+batch`,
    `${caller.accountId}+batch`,
  ]);
  expect(own.find(({ lane }) => lane === caller.accountId)?.requestId).toBe(single);
});

async function finishAll(inStore: Store, count: number): Promise<void> {
  const works = await claim(inStore, { limit: count });
  expect(works).toHaveLength(count);
  for (const work of works) await submitFound(inStore, work);
}

test('rejected rows are forgotten after thirty days, and still counted', async () => {
  const caller = await anAccount(store);
  const receiver = await begun(caller);
  await addBatchRows(store, receiver, [aBadRow(1), aRow(2)]);
  await completeBatch(store, receiver, 2);
  const { batchId } = receiver;
  const asked = { caller, batchId, limit: 10, after: undefined };
  expect(await listBatchErrors(store, asked)).toMatchObject({ items: [{ row: 1, reference: 'r1' }] });
  await sql(`update batch_row set received_at = now() - interval '31 days' where batch_id = $1`, [batchId]);
  await removeExpired(store);
  expect(await listBatchErrors(store, asked)).toEqual({ kind: 'found', items: [], next: null });
  expect(await getBatch(store, { caller, batchId })).toMatchObject({
    batch: { counters: { received: 2, rejected: 1, waiting: 1 } },
  });
});

// Without it one row that does not open would leave every later batch without its end.
test('a batch that cannot be kept is reported, and the others end', async () => {
  await queue.empty();
  const caller = await anAccount(store);
  const receiver = await begun(caller, { mode: 'all_or_nothing' });
  await addBatchRows(store, receiver, [aRow(1)]);
  await sql(`update batch_staged set request = 'broken' where batch_id = $1`, [receiver.batchId]);
  await completeBatch(store, receiver, 1);
  const later = await aBatch(caller, 1);
  await finishAll(store, 1);
  await expect(keepBatches(store)).rejects.toThrow(DecryptionError);
  await endBatches(store);
  expect((await read(caller, later)).state).toBe('ended');
  expect((await read(caller, receiver.batchId)).state).toBe('running');
  await sql('delete from batch_staged where batch_id = $1', [receiver.batchId]);
});
