import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aCuttingProxy } from '../../test/ground/a-cutting-proxy.ts';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { orphans } from '../../test/ground/orphans.ts';
import {
  anAccount,
  aPlatformCaller,
  aFinishedRequest,
  intake,
  type StoredRequest,
  submit,
} from '../../test/ground/stages.ts';
import { theDeliveries, theRequest } from '../../test/ground/the-stored.ts';
import { aVerifier, claim, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import type { LocalWorker, Store } from '../index.ts';
import { withClient } from '../testing/create-test-database.ts';
import { acceptOutput } from './accept-output.ts';

const stores = await openTestStores();
const { store, open, sql, connectionString } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const applied = { kind: 'applied', version: 1 };
const unchanged = { kind: 'unchanged', version: 1 };
const some = (count: number) => Promise.all(Array.from({ length: count }, () => intake(store, caller)));
const idsOf = (requests: readonly StoredRequest[]) => requests.map(({ request_id: id }) => id);

/** Submits an output for each request in one turn, so that they share a commit. */
const submitAll = (requests: readonly StoredRequest[], through: Store = store) =>
  Promise.all(requests.map((request) => submit(through, anOutput(request))));

/** The number of transactions that wrote the results of some requests. */
async function commitCount(requests: readonly StoredRequest[]): Promise<number | undefined> {
  const [row] = await sql<{ count: number }>(
    'select count(distinct xmin::text)::int as count from result where request_id = any ($1)',
    [idsOf(requests)],
  );
  return row?.count;
}

// Without it each result would be a transaction of its own, for five times the CPU.
test('results that come together share a commit, and each has its delivery, event, attempt and entry', async () => {
  const requests = await some(6);
  const verifiers = requests.map(() => aPlatformCaller());
  const answers = await Promise.all(
    requests.map((request, index) =>
      submit(store, anOutput(request), { caller: verifiers[index] ?? aPlatformCaller() }),
    ),
  );
  expect(answers).toEqual(requests.map(() => applied));
  expect(await commitCount(requests)).toBe(1);
  for (const [index, { request_id: id }] of requests.entries()) {
    expect(await theDeliveries(store, caller, id)).toMatchObject([{ version: 1, status: 'pending' }]);
    expect(await queue.attempts(id)).toEqual(['1 agent_web_portal succeeded']);
    const verifier = verifiers[index] ?? aPlatformCaller();
    expect(await accessLines(stores, verifier)).toEqual([['verificationOutput.submit', id]]);
    expect(await sql('select type, number from event where subject_id = $1', [id])).toEqual([
      { type: 'request.answered', number: 1 },
    ]);
  }
  expect(await orphans({ sql })).toEqual([]);
});

// Without it an output for a request that does not open would fail those of other senders.
test('one whose decision fails, fails by itself', async () => {
  const requests = await some(4);
  const broken = requests[1]?.request_id;
  await sql(`update request set input = '\\x00' where id = $1`, [broken]);
  const answers = await Promise.allSettled(requests.map((request) => submit(store, anOutput(request))));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))).toEqual([
    applied,
    null,
    applied,
    applied,
  ]);
  expect(answers[1]).toMatchObject({ reason: expect.any(DecryptionError) });
  expect(await commitCount(requests)).toBe(1);
});

// Without it a row that cannot be written would fail the results of other senders.
test('one whose result cannot be written, fails by itself', async () => {
  const requests = await some(3);
  const { request_id: id } = requests[0] ?? { request_id: '' };
  await sql(
    `insert into result (request_id, version, outcome, body, digest) values ($1, 1, 'complete', '', '')`,
    [id],
  );
  const answers = await Promise.allSettled(requests.map((request) => submit(store, anOutput(request))));
  expect(answers).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: applied },
    { status: 'fulfilled', value: applied },
  ]);
  expect(await theRequest(store, caller, id)).toMatchObject({ state: 'pending' });
});

// Without it the second of two outputs for one request would be applied as the first, or fail both.
test('of several outputs for one request the first is applied, and the others are decided after it', async () => {
  const [request, other] = await some(2);
  if (!request || !other) throw new Error('Two.');
  const answers = await Promise.all([
    submit(store, anOutput(request)),
    submit(store, anOutput(request)),
    submit(store, anOutput(other)),
    submit(store, anOutput(request, { notes: 'another' })),
  ]);
  expect(answers).toMatchObject([applied, unchanged, applied, { kind: 'held', reason: 'superseding' }]);
  expect(await commitCount([request, other])).toBe(1);
});

// Without it one sender's request, locked by an operator or a delivery, would delay the results of all others.
test('a locked request delays no other', async () => {
  const [locked, ...others] = await some(4);
  if (!locked) throw new Error('Four.');
  await withClient(connectionString, async (client) => {
    await client.query('begin');
    await client.query('select from request where id = $1 for no key update', [locked.request_id]);
    let isAnswered = false;
    const waiting = submit(store, anOutput(locked)).finally(() => (isAnswered = true));
    expect(await submitAll(others)).toEqual(others.map(() => applied));
    expect(await submitAll(await some(1))).toEqual([applied]);
    expect(isAnswered).toBe(false);
    await client.query('rollback');
    expect(await waiting).toEqual(applied);
  });
});

// Without it a verifier kept to one account would answer another's requests, if it came at the same time as theirs.
test('each is decided within the reach of its own caller', async () => {
  const [request, beyond] = await some(2);
  if (!request || !beyond) throw new Error('Two.');
  const kept = {
    ...aPlatformCaller(),
    verifyWithin: { payer_ids: null, channels: null, account_ids: ['acct_x'] },
  };
  const answers = await Promise.all([
    submit(store, anOutput(request)),
    submit(store, anOutput(beyond), { caller: kept }),
    submit(store, anOutput(beyond), { caller: aPlatformCaller('test') }),
  ]);
  const unmatched = { kind: 'held', reason: 'unmatched' };
  expect(answers).toMatchObject([applied, unmatched, unmatched]);
  expect(await theRequest(store, caller, beyond.request_id)).toMatchObject({ state: 'pending' });
});

// Without it an output would bring back the data of a request that was erased, or fail those next to it.
test('one for an erased request stores nothing, and is on record', async () => {
  const [erased, request] = await some(2);
  if (!erased || !request) throw new Error('Two.');
  await sql(`delete from work_queue where request_id = $1`, [erased.request_id]);
  await sql(`update request set erased_at = now(), input = '' where id = $1`, [erased.request_id]);
  const verifier = aPlatformCaller();
  const answers = await Promise.all([
    submit(store, anOutput(erased), { caller: verifier }),
    submit(store, anOutput(request)),
  ]);
  expect(answers).toEqual([{ kind: 'erased' }, applied]);
  expect(await accessLines(stores, verifier)).toEqual([['verificationOutput.submit', erased.request_id]]);
});

// Without it verifiers that submit at the same time would get each other's answers.
test('submissions of leased work share a commit with outputs, and each gets its own answer', async () => {
  await queue.empty();
  await some(3);
  const works = await claim(store, { limit: 3 });
  const [first, lapsed, refused] = works;
  if (!first || !lapsed || !refused) throw new Error('Three.');
  await queue.lapse(lapsed.requestId);
  const [request] = await some(1);
  if (!request) throw new Error('One.');
  const answers = await Promise.all([
    submitFound(store, first),
    submit(store, anOutput(request)),
    submitFound(store, lapsed),
    submitFound(store, refused, { insuranceData: [] }),
    submitFound(store, refused, { caller: { ...aVerifier(), acrossAccounts: false } }),
  ]);
  expect(answers).toMatchObject([applied, applied, { kind: 'lease_lost' }, applied, { kind: 'not_found' }]);
  const { request_id: id } = first.request;
  expect(await commitCount([{ ...request, request_id: id ?? '' }, request])).toBe(1);
});

// Without it a verifier would not know whether its result counts, and a repeat would be its own to think of.
test.each([
  ['before', applied],
  ['after', unchanged],
] as const)(
  'a connection lost during the commit, %s the server had it, is answered by what is stored',
  async (at, answer) => {
    const proxy = await aCuttingProxy(connectionString);
    const through = await open({ connectionString: proxy.connectionString });
    await submitAll(await some(1), through);
    const requests = await some(3);
    proxy.cutNextCommit(at);
    expect(await submitAll(requests, through)).toEqual(requests.map(() => answer));
    expect(proxy.cutCount()).toBe(1);
    for (const { request_id: id } of requests)
      expect(await theDeliveries(store, caller, id)).toMatchObject([{ version: 1, status: 'pending' }]);

    await queue.empty();
    await some(2);
    const works = await claim(through, { limit: 2 });
    const before = at === 'before' ? 'applied' : 'applied_before';
    proxy.cutNextCommit(at);
    expect(await Promise.all(works.map((work) => submitFound(through, work)))).toEqual(
      works.map(() => ({ kind: before, version: 1 })),
    );
    expect(proxy.cutCount()).toBe(2);
  },
);

// Without it a lost connection would leave a receiver's slot taken, or send a webhook twice.
test('the slots of a lost commit are given back, once each', async () => {
  const proxy = await aCuttingProxy(connectionString);
  const through = await open({ connectionString: proxy.connectionString });
  const requests = await some(2);
  await submitAll(await some(1), through);
  const calls = { reserved: 0, begun: 0, free: 0 };
  const localWorker: LocalWorker = {
    reserve: () => {
      calls.reserved += 1;
      return { begin: () => void (calls.begun += 1), free: () => void (calls.free += 1) };
    },
    wake: () => undefined,
  };
  proxy.cutNextCommit('after');
  const answers = await Promise.all(
    requests.map((request) =>
      acceptOutput(
        through,
        {
          output: anOutput(request),
          payerId: 'plan-1',
          caller: aPlatformCaller(),
          client: null,
          trusted: true,
          holdsAgentResults: false,
        },
        localWorker,
      ),
    ),
  );
  expect(answers).toEqual([unchanged, unchanged]);
  expect(calls).toEqual({ reserved: 2, begun: 0, free: 2 });
});

// Without it a claim of deliveries would be made for each result that waits for one.
test('the worker is woken once for all results of a commit', async () => {
  const requests = await some(5);
  let wakeCount = 0;
  const localWorker: LocalWorker = { reserve: () => null, wake: () => void (wakeCount += 1) };
  await Promise.all(
    requests.map((request) =>
      acceptOutput(
        store,
        {
          output: anOutput(request),
          payerId: 'plan-1',
          caller: aPlatformCaller(),
          client: null,
          trusted: true,
          holdsAgentResults: false,
        },
        localWorker,
      ),
    ),
  );
  expect(wakeCount).toBe(1);
});

// Without it a repeated result among many would write a second line, or be counted as new.
test('a repeated output next to new ones is unchanged, and on record', async () => {
  const finished = await aFinishedRequest(store, caller);
  const requests = await some(2);
  const verifier = aPlatformCaller();
  const [repeated, ...others] = await Promise.all([
    submit(store, anOutput(finished), { caller: verifier }),
    ...requests.map((request) => submit(store, anOutput(request))),
  ]);
  expect([repeated, ...others]).toEqual([unchanged, applied, applied]);
  expect(await accessLines(stores, verifier)).toEqual([['verificationOutput.submit', finished.request_id]]);
});
