import { RequestState } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, expect, test, vi } from 'vitest';
import { agedTo, DAY_MS } from '../../test/ground/an-aged-request.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { readPages } from '../../test/ground/read-pages.ts';
import {
  aFinishedAttempt,
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimDue,
  intake,
  PAYER_ID,
} from '../../test/ground/stages.ts';
import { theAttempts, theDeliveries, theRequest, theResult } from '../../test/ground/the-stored.ts';
import { aVerifier, claim, ROUTE, workQueue } from '../../test/ground/work-queue.ts';
import {
  acceptOutputs,
  advanceWork,
  type Caller,
  finishAttempts,
  listRequests,
  searchRequests,
  submitWorks,
} from '../index.ts';
import type { RequestSearch } from '../intake/search/request-search.ts';
import { monthsPassed } from '../testing/months-passed.ts';
import { makeMonths } from './make-months.ts';
import { monthAfter, monthAt, startOf } from './month.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

beforeAll(async () => {
  await monthsPassed(stores, 6);
  await makeMonths(stores.connectionString);
}, 60_000);

/** The first millisecond of the month so many before this one. */
const monthsAgo = (count: number) => startOf(monthAfter(monthAt(Date.now()), -count));

/** Both sides of a border, the middle of a month, the first table and today: not in order. */
const TIMES = [
  monthsAgo(1),
  monthsAgo(5) - 20 * DAY_MS,
  null,
  monthsAgo(1) - 1,
  monthsAgo(3) + 10 * DAY_MS,
  monthsAgo(2),
];

/** Moves requests to their times, with all that is about them; null for today. Returns their ids, in the same order. */
async function over(requestIds: readonly string[], times: readonly (number | null)[]): Promise<string[]> {
  const moved: string[] = [];
  for (const [index, requestId] of requestIds.entries()) {
    const time = times[index] ?? null;
    moved.push(time === null ? requestId : await agedTo(stores, requestId, time));
  }
  return moved;
}

/** Requests of these times that wait, each of a patient of its own; no others are left. */
async function waiting(times: readonly (number | null)[]): Promise<string[]> {
  await sql('truncate request, work_queue, verification_attempt, result, delivery, delivery_queue');
  const made = [];
  for (const [index] of times.entries())
    made.push(
      (await intake(store, caller, aRequest({ patient_info: aPatient({ name: `Patient ${index}` }) })))
        .request_id,
    );
  return over(made, times);
}

/** Puts requests of several months at the same places of their tables: a row is changed by its table and its place. */
async function align(ids: readonly string[]): Promise<void> {
  await sql('vacuum full request');
  const places = await sql<{ place: string; part: string }>(
    'select ctid::text as place, tableoid::regclass::text as part from request where id = any ($1)',
    [ids],
  );
  expect(new Set(places.map(({ part }) => part)).size).toBeGreaterThan(4);
  expect(new Set(places.map(({ place }) => place)).size).toBeLessThan(ids.length - 1);
}

// Without it a clinic would be told that another request’s webhook failed, or nothing of its own.
test('attempts at deliveries of several months are finished at once, each with what follows from it', async () => {
  const made = [];
  for (const _ of TIMES) made.push((await aFinishedRequest(store, caller)).request_id);
  const { request_id: bystander } = await aFinishedRequest(store, caller);
  const ids = [...(await over(made, TIMES)), ...(await over([bystander], [monthsAgo(4)]))];
  await align(ids);

  const leases = await claimDue(store);
  expect(leases.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted());
  const nexts = [
    { next: { kind: 'delivered' } },
    { outcome: 'gone', statusCode: 410, next: { kind: 'exhausted', reason: 'webhook_gone' } },
    { outcome: 'http_error', statusCode: 500, next: { kind: 'retry', delaySeconds: 300 } },
  ] as const;
  const expected = [
    ['complete', 'delivered', ['succeeded']],
    ['error_sending_webhook', 'exhausted', ['gone']],
    ['complete', 'pending', ['http_error']],
  ] as const;
  const finished = ids.slice(0, -1).map((id, index) => {
    const lease = leases.find(({ requestId }) => requestId === id);
    if (!lease) throw new Error('It is not due.');
    return aFinishedAttempt(lease, nexts[index % nexts.length]);
  });
  const written = await finishAttempts(store, finished);
  expect(written).toEqual(new Set(finished.map(({ lease }) => lease.deliveryId)));
  for (const [index, id] of ids.entries()) {
    const { state } = await theRequest(store, caller, id);
    const [delivery] = await theDeliveries(store, caller, id);
    expect([state, delivery?.status, delivery?.attempts.map(({ outcome }) => outcome)]).toEqual(
      index === ids.length - 1 ? ['complete', 'pending', []] : expected[index % expected.length],
    );
  }
  expect(await finishAttempts(store, finished)).toEqual(new Set());
});

// Without it a verifier would get a request of another month under its lease, or the newest before the longest due.
test('a claim leases requests of several months, the longest due first', async () => {
  const ids = await waiting(TIMES);
  for (const [index, id] of ids.entries()) await queue.dueSince(id, 1_000 - index * 100);
  await align(ids);
  const works = await claim(store, { limit: 4 });
  expect(works.map(({ requestId }) => requestId)).toEqual(ids.slice(0, 4));
  expect(works.map(({ request }) => request.input.patient_info.name)).toEqual(
    [0, 1, 2, 3].map((index) => `Patient ${index}`),
  );
  for (const [index, id] of ids.entries()) {
    expect((await queue.row(id))['lease_token']).toBe(works[index]?.leaseToken ?? null);
    expect(await queue.attempts(id)).toEqual(index < 4 ? ['1 agent_web_portal working'] : []);
  }
  // Leases that lapse in several months are due again, and each ends its own attempt.
  for (const id of ids.slice(0, 2)) await queue.lapse(id, 5_000);
  const again = await claim(store, { limit: 10 });
  expect(again.map(({ requestId }) => requestId).toSorted()).toEqual(
    [ids[0], ids[1], ids[4], ids[5]].toSorted(),
  );
  for (const [index, id] of ids.entries())
    expect(await queue.attempts(id)).toEqual(
      index < 2
        ? ['1 agent_web_portal lease_expired', '2 agent_web_portal working']
        : ['1 agent_web_portal working'],
    );
  expect(await claim(store)).toEqual([]);
});

// Without it an attempt would stay open behind a lease that nobody has, or another request’s would end.
test('leases that lapsed in several months end with their own attempts', async () => {
  const ids = await waiting(TIMES);
  await claim(store, { limit: ids.length });
  const lapsed = ids.filter((_, index) => index % 2 === 0);
  for (const id of lapsed) await queue.lapse(id);
  expect(await advanceWork(store, [ROUTE])).toMatchObject({ advancedCount: lapsed.length });
  for (const id of ids) {
    const isOver = lapsed.includes(id);
    expect(await queue.attempts(id)).toEqual([`1 agent_web_portal ${isOver ? 'lease_expired' : 'working'}`]);
    expect((await queue.row(id))['lease_token'] === null).toBe(isOver);
  }
});

// Without it a patient would get another one’s result.
test('works of several months are submitted at once, each to its own request', async () => {
  const ids = await waiting(TIMES);
  const works = await claim(store, { limit: ids.length });
  const [lost = '', open = ''] = ids.slice(3);
  const rest = ids.filter((id) => id !== lost && id !== open);
  await queue.lapse(lost);
  await align(ids);
  const workOf = (id: string) => {
    const work = works.find(({ requestId }) => requestId === id);
    if (!work) throw new Error('It is not leased.');
    return work;
  };
  const submitted = [lost, ...rest];
  const answers = await submitWorks(
    store,
    submitted.map((id, index) => ({
      caller: aVerifier(),
      requestId: id,
      leaseToken: workOf(id).leaseToken,
      insuranceData: [anEntry({ verification_source: workOf(id).channel, notes: `Found for ${id}.` })],
      evidence: { note: `Seen for ${id}.` },
      ...(index % 2 === 0 && { claimed: workOf(id) }),
    })),
  );
  expect(answers).toEqual([null, ...rest.map(() => ({ kind: 'applied', version: 1 }))]);
  for (const id of rest) {
    expect(await theResult(store, caller, id)).toMatchObject({
      request: { request_id: id, state: 'complete' },
      insurance_data: [{ notes: `Found for ${id}.` }],
    });
    expect(await theAttempts(store, caller, id)).toMatchObject([
      { outcome: 'succeeded', result_version: 1, note: `Seen for ${id}.` },
    ]);
    expect(await theDeliveries(store, caller, id)).toMatchObject([{ status: 'pending' }]);
  }
  for (const id of [lost, open]) {
    expect(await queue.row(id)).toMatchObject({ version: 0, outcome: 'none' });
    expect(await queue.attempts(id)).toEqual(['1 agent_web_portal working']);
  }
});

// As above, by the door through which others send results.
test('outputs about requests of several months are accepted at once, the known ones again', async () => {
  const ids = await waiting(TIMES);
  const submit = async (some: readonly string[]) =>
    acceptOutputs(
      store,
      await Promise.all(
        some.map(async (id) => ({
          output: anOutput(await theRequest(store, caller, id), { notes: `Found for ${id}.` }),
          payerId: PAYER_ID,
          caller: aPlatformCaller(),
          client: null,
          trusted: true,
        })),
      ),
    );
  const applied = { kind: 'applied', version: 1 };
  const unchanged = { kind: 'unchanged', version: 1 };
  await align(ids);
  expect(await submit(ids.slice(0, 4))).toEqual(ids.slice(0, 4).map(() => applied));
  expect((await queue.row(ids[4] ?? ''))['outcome']).toBe('none');
  expect(await submit(ids.toReversed())).toEqual([applied, applied, ...ids.slice(0, 4).map(() => unchanged)]);
  for (const id of ids) {
    expect(await theResult(store, caller, id)).toMatchObject({
      request: { request_id: id, state: 'complete' },
      insurance_data: [{ notes: `Found for ${id}.` }],
    });
    expect(await theDeliveries(store, caller, id)).toMatchObject([{ version: 1, status: 'pending' }]);
    expect(await queue.attempts(id)).toEqual(['1 agent_web_portal succeeded']);
  }
});

/** Columns that show as each of the states. */
const FACTS: Record<RequestState, string> = {
  pending: `outcome = 'none', version = 0`,
  complete: `outcome = 'complete', version = 1, delivery = 'delivered'`,
  error_verifying: `outcome = 'error_verifying', version = 1, delivery = 'delivered'`,
  error_sending_webhook: `outcome = 'complete', version = 1, delivery = 'exhausted'`,
};

interface Listed {
  readonly clinic: Caller;
  readonly all: readonly string[];
  readonly byState: ReadonlyMap<RequestState, readonly string[]>;
}

/** Four requests of each of the months, one in each state; their ids newest first. */
async function aListed(memberId: string): Promise<Listed> {
  const clinic = await anAccount(store);
  const byState = new Map<RequestState, string[]>();
  const all: string[] = [];
  for (const time of TIMES) {
    for (const state of RequestState.options) {
      const { request_id: made } = await intake(
        store,
        clinic,
        aRequest({ patient_info: aPatient({ subscriber_id: memberId }) }),
      );
      const [id = ''] = await over([made], [time]);
      await sql(`update request set ${FACTS[state]} where id = $1`, [id]);
      byState.set(state, [...(byState.get(state) ?? []), id].toSorted().toReversed());
      all.push(id);
    }
  }
  return { clinic, all: all.toSorted().toReversed(), byState };
}

const LIMITS = [1, 3, 5, 24, 100];

// Without it a clinic that pages through its list would miss the requests at the end of a month, or see some twice.
test('a list goes on over the borders of months, wherever a page ends', async () => {
  const { clinic, all, byState } = await aListed('LISTED');
  for (const limit of LIMITS) {
    for (const [state, ids] of [[undefined, all] as const, ...byState]) {
      const pages = await readPages(limit, (page) => listRequests(store, { caller: clinic, state, ...page }));
      expect(
        pages.flat().map(({ request_id: id }) => id),
        `${state} by ${limit}`,
      ).toEqual(ids);
      expect(pages.every((page, index) => page.length === limit || index === pages.length - 1)).toBe(true);
    }
  }
});

// As above, for an operator who searches, each way that a search goes.
test('a search goes on over the borders of months, wherever a page ends', async () => {
  const { clinic, all, byState } = await aListed('SEARCHED');
  const operator = aPlatformCaller();
  const everyones = await sql<{ id: string }>('select id from request order by id desc');
  const span = { since: new Date(monthsAgo(3)), until: new Date(monthsAgo(1) + 5 * DAY_MS) };
  const within = await sql<{ id: string }>(
    'select id from request where account_id = $1 and received_at >= $2 and received_at < $3 order by id desc',
    [clinic.accountId, span.since, span.until],
  );
  expect(within.length).toBe(16);
  const of = { caller: operator, accountId: clinic.accountId };
  const spanned = within.map(({ id }) => id);
  const searches: [Partial<RequestSearch>, readonly string[]][] = [
    [{ caller: clinic }, all],
    [of, all],
    [{ caller: operator }, everyones.map(({ id }) => id)],
    [{ caller: operator, memberId: 'SEARCHED' }, all],
    [{ ...of, payerId: PAYER_ID }, all],
    [{ ...of, ...span }, spanned],
    [{ caller: operator, memberId: 'SEARCHED', ...span }, spanned],
    ...[...byState].map(([state, ids]): [Partial<RequestSearch>, readonly string[]] => [
      { ...of, state },
      ids,
    ]),
  ];
  for (const limit of [1, 3, 100]) {
    for (const [search, ids] of searches) {
      const pages = await readPages(limit, (page) =>
        searchRequests(store, { caller: operator, routes: [ROUTE], ...search, ...page }),
      );
      expect(
        pages.flat().map(({ request_id: id }) => id),
        `${Object.keys(search).join()} by ${limit}`,
      ).toEqual(ids);
    }
  }
});
