import type { ListOrder } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { bulkDeliveries } from '../../test/ground/bulk-deliveries.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { readPages } from '../../test/ground/read-pages.ts';
import { aFinishedRequest, anAccount, aPlatformCaller, claimFor, finish } from '../../test/ground/stages.ts';
import { type Caller, getDelivery, searchDeliveries } from '../index.ts';
import type { DeliverySearch } from './search-deliveries.ts';

const stores = await openTestStores();
const { store, sql } = stores;

type Filter = Partial<Omit<DeliverySearch, 'caller'>>;
const search = (caller: Caller, filter: Filter = {}) =>
  searchDeliveries(store, { caller, limit: 100, ...filter });
const idsOf = async (caller: Caller, filter: Filter = {}) =>
  (await search(caller, filter)).items.map((item) => item.request_id);

/** A delivered message, one that a receiver refused for good, and one that waits for its second attempt. */
async function threeDeliveries(caller: Caller) {
  const to = (callback_url: string) => aFinishedRequest(store, caller, aRequest({ callback_url }));
  const delivered = await to('https://good.example/verified?visit=1');
  await finish(store, await claimFor(store, delivered.request_id), { statusCode: 204 });
  const exhausted = await to('https://bad.example:8443/verified');
  await finish(store, await claimFor(store, exhausted.request_id), {
    outcome: 'gone',
    statusCode: 410,
    next: { kind: 'exhausted', reason: 'webhook_gone' },
  });
  const waiting = await to('http://slow.example/verified');
  await finish(store, await claimFor(store, waiting.request_id), {
    outcome: 'timeout',
    statusCode: null,
    next: { kind: 'retry', delaySeconds: 300 },
  });
  return [delivered.request_id, exhausted.request_id, waiting.request_id] as const;
}

// Without it an operator would ask request by request which webhooks did not arrive.
test('an account’s deliveries, newest first, show their state and how the last attempt ended', async () => {
  const caller = await anAccount(store);
  const [delivered, exhausted, waiting] = await threeDeliveries(caller);
  const { items, next_cursor } = await search(caller);
  expect(next_cursor).toBeNull();
  expect(items).toMatchObject([
    {
      request_id: waiting,
      account_id: caller.accountId,
      account_name: 'Clinic',
      payer: expect.stringMatching(/^Payer/),
      patient_initials: 'J. D.',
      version: 1,
      status: 'pending',
      reason: null,
      host: 'slow.example:80',
      done_at: null,
      next_attempt_at: expect.any(String),
      attempt_count: 1,
      last_outcome: 'timeout',
      last_status_code: null,
    },
    { request_id: exhausted, status: 'exhausted', reason: 'webhook_gone', host: 'bad.example:8443' },
    { request_id: delivered, status: 'delivered', host: 'good.example:443', last_status_code: 204 },
  ]);
  expect((await accessLines(stores, caller)).at(-1)).toEqual([
    'deliveries.list',
    [waiting, exhausted, delivered],
  ]);
});

test('each filter leaves what does not match it', async () => {
  const caller = await anAccount(store);
  const [delivered, exhausted, waiting] = await threeDeliveries(caller);
  const cases: readonly (readonly [Filter, readonly string[]])[] = [
    [{ status: 'exhausted' }, [exhausted]],
    [{ status: 'superseded' }, []],
    [{ reason: 'webhook_gone' }, [exhausted]],
    [{ outcome: 'timeout' }, [waiting]],
    [{ statusCode: 204 }, [delivered]],
    [{ attemptsMin: 1 }, [waiting, exhausted, delivered]],
    [{ attemptsMin: 2 }, []],
    [{ host: 'GOOD.example' }, [delivered]],
    [{ host: 'slow.example:80' }, [waiting]],
    [{ host: 'slow.example:443' }, []],
    [{ host: 'bad.example:8443' }, [exhausted]],
    [{ host: 'bad.example' }, []],
    [{ host: 'not a host/' }, []],
    [{ requestId: exhausted }, [exhausted]],
    [{ requestId: exhausted, status: 'pending' }, []],
    [{ requestId: 'req_none' }, []],
    [{ since: new Date(Date.now() - 60_000) }, [waiting, exhausted, delivered]],
    [{ since: new Date(Date.now() + 60_000) }, []],
    [{ until: new Date(Date.now() - 60_000) }, []],
    [{ until: new Date('9999-12-31T00:00:00Z') }, [waiting, exhausted, delivered]],
    [{ accountId: caller.accountId, status: 'pending', outcome: 'timeout' }, [waiting]],
    [{ accountId: 'nobody\0' }, []],
  ];
  for (const [filter, ids] of cases) expect(await idsOf(caller, filter), JSON.stringify(filter)).toEqual(ids);
});

// Without it one clinic would see where another's results go.
test('an account sees its own, an operator every account’s or one’s, a test operator test accounts’', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const { request_id: ofOne } = await aFinishedRequest(store, one);
  const { request_id: ofOther } = await aFinishedRequest(store, other);
  expect(await idsOf(one)).toEqual([ofOne]);
  expect(await idsOf(one, { accountId: other.accountId })).toEqual([]);
  expect(await idsOf(one, { requestId: ofOther })).toEqual([]);
  expect((await idsOf(aPlatformCaller())).slice(0, 2)).toEqual([ofOther, ofOne]);
  expect(await idsOf(aPlatformCaller(), { accountId: one.accountId })).toEqual([ofOne]);
  const ofMode = (onlyMode: 'live' | 'test') => idsOf({ ...aPlatformCaller(), onlyMode });
  expect((await ofMode('live'))[0]).toBe(ofOne);
  expect(await ofMode('live')).not.toContain(ofOther);
  expect(await ofMode('test')).toEqual([ofOther]);
  expect(await idsOf(aPlatformCaller('test'))).toEqual([ofOther]);
  expect(await idsOf(aPlatformCaller('test'), { accountId: one.accountId })).toEqual([]);
});

test('pages follow each other without a gap, also after rows that do not match', async () => {
  const caller = await anAccount(store);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await bulkDeliveries(stores, requestId, 1_200, { prefix: '7' });
  await sql(`update delivery set attempt_count = 3 where account_id = $1 and right(id, 3) = '007'`, [
    caller.accountId,
  ]);
  const all = await readPages(100, (page) => search(caller, page));
  expect(new Set(all.flat().map((item) => item.delivery_id)).size).toBe(1_201);
  const rare = await readPages(2, (page) => search(caller, { ...page, attemptsMin: 3 }));
  expect(rare.flat().map((item) => item.delivery_id.slice(-4))).toEqual(['1007', '0007']);
});

test('the oldest first is the newest first from the other end, whatever is filtered by', async () => {
  const caller = await anAccount(store);
  for (const round of [1, 2]) expect(await threeDeliveries(caller), String(round)).toHaveLength(3);
  const operator = aPlatformCaller();
  const { accountId } = caller;
  const span = { since: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
  for (const [who, filter] of [
    [caller, {}],
    [caller, span],
    [operator, { accountId, status: 'exhausted' }],
    [operator, { accountId, host: 'good.example' }],
    [operator, span], // across accounts, those of other tests as well
  ] as const) {
    const all = async (order: ListOrder) =>
      (await readPages(2, (page) => search(who, { ...filter, ...page, order })))
        .flat()
        .map((item) => item.delivery_id);
    const newest = await all('newest');
    expect(newest.length).toBeGreaterThan(1);
    expect(await all('oldest')).toEqual(newest.toReversed());
  }
});

test('one delivery shows every attempt, and only within reach', async () => {
  const caller = await anAccount(store);
  const [, exhausted] = await threeDeliveries(caller);
  const [item] = (await search(caller, { requestId: exhausted })).items;
  const deliveryId = item?.delivery_id ?? '';
  const read = await getDelivery(store, { caller, deliveryId });
  expect(read).toMatchObject({
    kind: 'found',
    delivery: { ...item, attempts: [{ number: 1, outcome: 'gone', status_code: 410 }] },
  });
  expect((await accessLines(stores, caller)).at(-1)).toEqual(['deliveries.get', exhausted]);
  for (const [stranger, id] of [
    [await anAccount(store), deliveryId],
    [caller, 'msg_none'],
  ] as const)
    expect(await getDelivery(store, { caller: stranger, deliveryId: id })).toEqual({ kind: 'not_found' });
});
