import { type DeliveryFact, type Outcome, RequestState, stateOf } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { markFinished } from '../../test/ground/mark-finished.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { readPages } from '../../test/ground/read-pages.ts';
import { anAccount, intake } from '../../test/ground/stages.ts';
import { type Caller, listRequests } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;

async function requestsOf(caller: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.unshift((await intake(store, caller)).request_id);
  return ids;
}

// Without it one clinic would see another clinic's patients in its list.
test('an account sees its own requests only, newest first', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const ids = await requestsOf(one, 3);
  await requestsOf(other, 2);
  const { items, next_cursor } = await listRequests(store, { caller: one, limit: 100 });
  expect(items.map((request) => request.request_id)).toEqual(ids);
  expect(next_cursor).toBeNull();
});

// Without it a client that pages through the list while requests arrive would miss some, or see some twice.
test('pages have no gap and no duplicate while requests arrive', async () => {
  const caller = await anAccount(store);
  const ids = await requestsOf(caller, 11);
  const pages = await readPages(
    3,
    (page) => listRequests(store, { caller, ...page }),
    () => intake(store, caller),
  );
  expect(pages.flat().map((request) => request.request_id)).toEqual(ids);
  expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 2]);
});

// Broke: a hundred requests of a megabyte each were one page, and a few such lists at once took gigabytes.
test('a page of large requests is shorter, and the next continues where it ended', async () => {
  const caller = await anAccount(store);
  const ids: string[] = [];
  for (let made = 0; made < 7; made += 1)
    ids.unshift(
      (await intake(store, caller, aRequest({ patient_info: aPatient({ name: 'x'.repeat(800_000) }) })))
        .request_id,
    );
  const pages = await readPages(7, (page) => listRequests(store, { caller, ...page }));
  expect(pages.flat().map((request) => request.request_id)).toEqual(ids);
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
});

// Without it a list of exactly one page would promise another.
test('a full last page ends the list', async () => {
  const caller = await anAccount(store);
  const ids = await requestsOf(caller, 4);
  expect(await readPages(2, (page) => listRequests(store, { caller, ...page }))).toHaveLength(2);
  expect((await listRequests(store, { caller, limit: 2, cursor: ids[3] })).items).toEqual([]);
});

// Without it the filter could contradict the state that each request shows.
test('the state filter is the state shown, for every pair of stored facts', async () => {
  const caller = await anAccount(store);
  const outcomes: Outcome[] = ['none', 'complete', 'error_verifying'];
  const deliveries: DeliveryFact[] = ['none', 'pending', 'delivered', 'exhausted'];
  const pairs = outcomes.flatMap((outcome) => deliveries.map((delivery) => ({ outcome, delivery })));
  const expected = new Map<string, RequestState>();
  for (const { outcome, delivery } of pairs) {
    if (outcome === 'none' && delivery !== 'none') continue; // the table refuses it: nothing to deliver yet
    const { request_id: id } = await intake(store, caller);
    if (outcome !== 'none') await markFinished(stores, [id], { outcome, delivery });
    expected.set(id, stateOf(outcome, delivery));
  }
  for (const state of RequestState.options) {
    const { items } = await listRequests(store, { caller, limit: 100, state });
    const ids = [...expected].filter(([, shown]) => shown === state).map(([id]) => id);
    expect(items.map((request) => request.request_id)).toEqual(ids.toReversed());
    expect(items.every((request) => request.state === state)).toBe(true);
  }
});

// Without it paging through one state would lose the rows between its pages.
test('a filtered list pages over its own rows', async () => {
  const caller = await anAccount(store);
  const ids = await requestsOf(caller, 6);
  const finished = ids.filter((_, index) => index % 2 === 0);
  await markFinished(stores, finished);
  const pages = await readPages(2, (page) => listRequests(store, { caller, ...page, state: 'complete' }));
  expect(pages.flat().map((request) => request.request_id)).toEqual(finished);
});

// Without it nobody would know who saw a patient in a list.
test('every request seen is in the access log', async () => {
  const caller = await anAccount(store);
  const ids = await requestsOf(caller, 2);
  await listRequests(store, { caller, limit: 10 });
  const lines = await accessLines(stores, caller);
  expect(lines.slice(2)).toEqual([['requests.list', ids]]);
});

// Broke: one corrupt row failed every list that contained it, so an account could see none of its requests.
test.each([
  ['input', 'set_byte(input, 40, 255 - get_byte(input, 40))'],
  ['input', "''"],
  ['input', 'set_byte(input, 2, 255)'], // refers to a missing data key
  ['outcome_reason', 'input'],
])('a request whose %s is %s is left out and named, the others are listed', async (column, value) => {
  const caller = await anAccount(store);
  const [newest, corrupt = '', oldest] = await requestsOf(caller, 3);
  await sql(`update request set ${column} = ${value} where id = $1`, [corrupt]);
  const { items, next_cursor, unreadableIds } = await listRequests(store, { caller, limit: 2 });
  expect(items.map((request) => request.request_id)).toEqual([newest]);
  expect(unreadableIds).toEqual([corrupt]);
  const next = await listRequests(store, { caller, limit: 2, cursor: next_cursor ?? undefined });
  expect(next).toMatchObject({ items: [{ request_id: oldest }], next_cursor: null, unreadableIds: [] });
  expect((await accessLines(stores, caller)).filter(([operation]) => operation === 'requests.list')).toEqual([
    ['requests.list', newest], // nobody saw the corrupt one
    ['requests.list', oldest],
  ]);
});
