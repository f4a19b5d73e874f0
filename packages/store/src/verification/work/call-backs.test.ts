import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { rowsReadBy } from '../../../test/ground/rows-read-by.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import {
  aRoute,
  aVerifier,
  claim,
  claimOne,
  submitFound,
  workQueue,
} from '../../../test/ground/work-queue.ts';
import {
  advanceWork,
  CALL_BACK_COUNT_MAX,
  claimRequest,
  listAttempts,
  listCallBacks,
  planCallBack,
} from '../../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);
const PHONE = 'manual_phone_call';
const ROUTE = aRoute([PHONE]);
const phone = { routes: [ROUTE], channels: [PHONE] } as const;
const me = aVerifier();
const colleague = { ...aVerifier(), keyId: 'key_colleague' };

const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/** The only request in the queue, which I parked until `at`. */
async function parked(at: Date, isOwn: boolean, neededBy: Date | null = null): Promise<string> {
  await queue.empty();
  const { request_id: requestId } = await intake(store, caller, aRequest(), neededBy ? { neededBy } : {});
  const { leaseToken } = await claimOne(store, { ...phone, caller: me });
  const evidence = { note: 'Ask for Dana.', representative: 'Sam', reference: 'C-1' };
  expect(
    await planCallBack(store, {
      caller: me,
      requestId: requestId ?? '',
      leaseToken,
      at,
      isOwn,
      evidence,
      routes: [ROUTE],
    }),
  ).toEqual({ kind: 'parked' });
  return requestId ?? '';
}

/** Lets time pass for a request. */
const passes = (requestId: string, minutes: number) =>
  sql(
    `update work_queue set waits_since = waits_since - d, needed_by = needed_by - d, channel_until = channel_until - d,
       channel_entered_at = channel_entered_at - d, call_back_at = call_back_at - d
     from (select make_interval(mins => $2) as d) as shift where request_id = $1`,
    [requestId, minutes],
  );

const claimable = async (by: typeof me) =>
  (await claim(store, { ...phone, caller: by })).map(({ requestId }) => requestId);

// Without it "call again at 3 pm" is kept on paper, and the request is tried again at once.
test('a request waits for its call-back, which any verifier then makes first', async () => {
  const id = await parked(ahead(60), false);
  const { request_id: other } = await intake(store, caller);
  expect(await claimable(colleague)).toEqual([other]);
  expect(await claimable(colleague)).toEqual([]);
  const { request_id: older } = await intake(store, caller);
  await queue.dueSince(older ?? '', 3_600);
  await passes(id, 61);
  expect(await claimable(colleague)).toEqual([id]);
  expect(await claimable(colleague)).toEqual([older]);
  expect(await queue.row(id)).toMatchObject({ call_back_at: null, call_back_by: null, attempt_count: 1 });
});

test('my own call-back is mine for a quarter of an hour, then anyone’s', async () => {
  const id = await parked(ahead(60), true);
  await passes(id, 61);
  expect(await claimable(colleague)).toEqual([]);
  await passes(id, 15);
  expect(await claimable(colleague)).toEqual([id]);
  const again = await parked(ahead(60), true);
  await passes(again, 61);
  expect(await claimable(me)).toEqual([again]);
});

// Without it a person who goes home takes the request with them, and its clinic waits past the visit.
test('a call-back is before the result is needed, and opens to all before then', async () => {
  await queue.empty();
  const neededBy = ahead(90);
  const { request_id: requestId } = await intake(store, caller, aRequest(), { neededBy });
  const { leaseToken } = await claimOne(store, { ...phone, caller: me });
  const plan = {
    caller: me,
    requestId: requestId ?? '',
    leaseToken,
    isOwn: true,
    evidence: {},
    routes: [ROUTE],
  };
  expect(await planCallBack(store, { ...plan, at: ahead(91) })).toEqual({
    kind: 'after_needed_by',
    neededBy,
  });
  expect(await planCallBack(store, { ...plan, at: ahead(85) })).toEqual({ kind: 'parked' });
  await passes(plan.requestId, 86);
  expect(await claimable(colleague)).toEqual([plan.requestId]);
});

test('it counts as waiting: the attempt does not count, and its channel’s time does not run', async () => {
  const id = await parked(ahead(24 * 60), false);
  await passes(id, 23 * 60);
  expect(await advanceWork(store, [ROUTE])).toMatchObject({ advancedCount: 0 });
  expect(await queue.attempts(id)).toEqual([`1 ${PHONE} call_back`]);
  await passes(id, 61);
  const work = await claimOne(store, { ...phone, caller: colleague });
  expect(work).toMatchObject({
    requestId: id,
    attemptNumber: 2,
    history: [{ outcome: 'call_back', note: 'Ask for Dana.' }],
  });
  expect(await submitFound(store, work, { caller: colleague })).toEqual({ kind: 'applied', version: 1 });
  const { attempts } = (await listAttempts(store, { caller, requestId: id, withInternals: false })) as {
    attempts: object[];
  };
  expect(attempts[0]).toMatchObject({ outcome: 'call_back', representative: 'Sam', reference: 'C-1' });
});

test('the list shows my own and anyone’s, the earliest first, and each may be taken before its time', async () => {
  const id = await parked(ahead(60), true);
  const item = {
    request_id: id,
    payer: 'Payer Plan 1',
    patient_initials: 'J. D.',
    channel: PHONE,
    who: 'me',
    held_by: me.keyId,
    holder_name: null,
    needed_by: null,
    time_zone: null,
  };
  const [listed] = await listCallBacks(store, { caller: me, ofAll: false, routes: [] });
  expect(listed).toEqual({ ...item, call_back_at: expect.any(String) });
  expect(await listCallBacks(store, { caller: colleague, ofAll: false, routes: [] })).toEqual([]);
  const { request_id: second } = await intake(store, caller);
  const { leaseToken } = await claimOne(store, { ...phone, caller: colleague });
  await planCallBack(store, {
    caller: colleague,
    requestId: second ?? '',
    leaseToken,
    at: ahead(30),
    isOwn: false,
    evidence: {},
    routes: [ROUTE],
  });
  const all = await listCallBacks(store, { caller: aVerifier(), ofAll: true, routes: [] });
  expect(all.map((one) => [one.request_id, one.who, one.held_by])).toEqual([
    [second, 'anyone', null],
    [id, 'someone_else', me.keyId],
  ]);
  expect(
    (await listCallBacks(store, { caller: me, ofAll: false, routes: [] })).map((one) => [
      one.request_id,
      one.who,
    ]),
  ).toEqual([
    [second, 'anyone'],
    [id, 'me'],
  ]);
  expect(
    await listCallBacks(store, {
      caller: { ...me, verifyWithin: { payer_ids: ['other'] } },
      ofAll: false,
      routes: [],
    }),
  ).toEqual([]);
  expect(await claimRequest(store, { ...phone, caller: me, requestId: id, leaseSeconds: 60 })).toMatchObject({
    kind: 'claimed',
  });
  expect((await accessLines(stores, colleague)).at(-1)).toEqual(['work.callBack', second]);
});

test.each([
  ['a minute ago', ahead(-1)],
  ['in 15 days', ahead(15 * 24 * 60)],
])('a call-back %s is refused', async (_, at) => {
  await queue.empty();
  const { request_id: requestId } = await intake(store, caller);
  const { leaseToken } = await claimOne(store, { ...phone, caller: me });
  const plan = {
    caller: me,
    requestId: requestId ?? '',
    leaseToken,
    isOwn: false,
    evidence: {},
    routes: [ROUTE],
  };
  expect(await planCallBack(store, { ...plan, at })).toEqual({ kind: 'not_ahead' });
  expect(await planCallBack(store, { ...plan, leaseToken: 'stale', at: ahead(5) })).toEqual({
    kind: 'lease_lost',
  });
});

test('only what is verified by phone has a call-back', async () => {
  await queue.empty();
  const { request_id: requestId } = await intake(store, caller);
  const { leaseToken } = await claimOne(store, { caller: me });
  const plan = {
    caller: me,
    requestId: requestId ?? '',
    leaseToken,
    at: ahead(5),
    isOwn: false,
    evidence: {},
    routes: [ROUTE],
  };
  expect(await planCallBack(store, plan)).toEqual({ kind: 'not_by_phone' });
});

// Broke: one key could park every request that is verified by phone, for 14 days.
test('the 31st call-back is refused and the lease stays, also if any verifier may make the others', async () => {
  await queue.empty();
  const plan = async (isOwn: boolean) => {
    const { request_id: requestId } = await intake(store, caller);
    const { leaseToken } = await claimOne(store, { ...phone, caller: me });
    const call = {
      requestId: requestId ?? '',
      leaseToken,
      at: ahead(60),
      isOwn,
      evidence: {},
      routes: [ROUTE],
    };
    return { ...call, caller: me };
  };
  for (let count = 0; count < CALL_BACK_COUNT_MAX - 1; count += 1)
    expect(await planCallBack(store, await plan(count % 2 === 0))).toEqual({ kind: 'parked' });
  const [last, beyond] = [await plan(true), await plan(false)];
  const kinds = await Promise.all([planCallBack(store, last), planCallBack(rival, beyond)]);
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['parked', 'too_many_call_backs']);
  const refused = kinds[0]?.kind === 'parked' ? beyond : last;
  expect(await queue.row(refused.requestId)).toMatchObject({ call_back_at: null, lease: refused.leaseToken });
  const [first] = await listCallBacks(store, { caller: me, ofAll: false, routes: [] });
  const named = { ...phone, caller: colleague, requestId: first?.request_id ?? '', leaseSeconds: 60 };
  expect(await claimRequest(store, named)).toMatchObject({ kind: 'claimed' });
  expect(await planCallBack(store, refused)).toEqual({ kind: 'parked' });
});

// Broke: its plan, made while the queue was empty, read all that waited in the pool: 3,000 rows for each claim by phone.
test('a claim by phone reads nothing of the requests that wait for no call-back', async () => {
  await queue.empty();
  const single = await stores.open({ connectionCountMax: 1 });
  for (let planned = 0; planned < 8; planned += 1) await claim(single, { ...phone, caller: me });
  const { request_id: model } = await intake(store, caller);
  await sql(
    `with made as (
       insert into request (id, account_id, payer_id, payer_name, input, member_index)
       select 'req_' || lpad(n::text, 26, '0'), account_id, payer_id, payer_name, input, member_index
       from request, generate_series(1, 3000) n where id = $1 returning *
     )
     insert into work_queue (request_id, account_id, pool, payer_id, channel, waits_since, postponed)
     select id, account_id, 'live', payer_id, 'agent_web_portal', now() + interval '1 day', true from made`,
    [model],
  );
  const work = await claim(store, { ...phone, caller: me });
  expect(work).toHaveLength(1);
  const rowCount = await rowsReadBy(single, async () => {
    expect(await claim(single, { ...phone, caller: me })).toEqual([]);
  });
  expect(rowCount).toBeLessThan(100);
});
