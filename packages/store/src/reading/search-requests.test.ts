import type { ListOrder } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { readPages } from '../../test/ground/read-pages.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  hold,
  intake,
  PAYER_ID,
  submit,
} from '../../test/ground/stages.ts';
import { type Caller, countRequests, dismissHeldOutput, insertRequests, searchRequests } from '../index.ts';
import type { RequestSearch } from './search-requests.ts';

const stores = await openTestStores();
const { store, sql } = stores;

const about = (memberId: string) => aRequest({ patient_info: aPatient({ subscriber_id: memberId }) });

/** Searches as an operator, by default ten at once. */
const search = (by: Partial<RequestSearch>) =>
  searchRequests(store, { caller: aPlatformCaller(), routes: [], limit: 10, ...by });

const idsOf = async (by: Partial<RequestSearch>) => (await search(by)).items.map(({ request_id: id }) => id);

// Without it one damaged row would hide every other request that an operator searches for.
test('a request that does not open costs its own place, and is reported', async () => {
  const callers = [await anAccount(store), await anAccount(store)];
  await insertRequests(
    store,
    callers.map((caller) => ({ payerId: PAYER_ID, input: about('damaged'), idempotencyKey: null, caller })),
  );
  const [damaged, intact] = callers.map(({ accountId }) => accountId);
  const [row] = await sql(`update request set input = 'x' where account_id = $1 returning id`, [damaged]);
  expect(await search({ memberId: 'damaged' })).toMatchObject({
    items: [{ account_id: intact }],
    unreadableIds: [row?.['id']],
  });
});

// Without it a caller restricted to its own account would read of others' patients.
test('a caller of one account finds only its own requests', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const { request_id: requestId } = await intake(store, other, about('M-1'));
  for (const by of [{ requestId }, { memberId: 'M-1' }, {}]) {
    expect(await idsOf({ ...by, caller: one })).toEqual([]);
    expect(await idsOf({ ...by, caller: other })).toEqual([requestId]);
    expect(await idsOf({ ...by, caller: one, accountId: other.accountId })).toEqual([]);
  }
  expect(await idsOf({ caller: aPlatformCaller('test'), requestId })).toEqual([]);
});

// Without it what a clinic tries out would be among what waits of patients.
test('a list is kept to live or to test accounts, and each row says which', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const ids = [await intake(store, live), await intake(store, trial)].map((one) => one.request_id);
  const found = async (onlyMode?: 'live' | 'test') => {
    const { items } = await search({ caller: { ...aPlatformCaller(), onlyMode } });
    return items.filter((one) => ids.includes(one.request_id)).map((one) => one.account_mode);
  };
  expect([await found(), await found('live'), await found('test')]).toEqual([
    ['test', 'live'],
    ['live'],
    ['test'],
  ]);
});

// Payers do not distinguish `w 12` from `W12`, and an inquiry over X12 has no white space.
test('a member id is found whole, whatever its case and white space, in every account', async () => {
  const callers = [await anAccount(store), await anAccount(store)];
  const made = [];
  for (const caller of callers) made.push((await intake(store, caller, about(' w12 345x'))).request_id);
  await intake(store, callers[0] ?? (await anAccount(store)), about('W12345XY'));
  expect(await idsOf({ memberId: 'W12345x ' })).toEqual(made.toReversed());
  expect(await idsOf({ memberId: 'W12345X', accountId: callers[0]?.accountId })).toEqual([made[0]]);
  for (const memberId of ['W12345', '', ' ', 'W12345X\0']) expect(await idsOf({ memberId })).toEqual([]);
});

// Without it a copy of the database would show that two clinics have the same patient.
test('equal member ids of two accounts have different numbers, and none is the id’s plain digest', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  for (const caller of [one, one, other]) await intake(store, caller, about('SAME'));
  const numbers = await sql(
    `select account_id, member_index from request where account_id = any ($1) group by 1, 2`,
    [[one.accountId, other.accountId]],
  );
  expect(numbers).toHaveLength(2);
  expect(new Set(numbers.map((row) => row['member_index'])).size).toBe(2);
});

// Two member ids may share a number, which says nothing of the patients.
test('what shares the number of another member id is not shown', async () => {
  const caller = await anAccount(store);
  const { request_id: wanted } = await intake(store, caller, about('COLLIDES-1'));
  const { request_id: other } = await intake(store, caller, about('COLLIDES-2'));
  await sql(
    `update request set member_index = (select member_index from request where id = $1) where id = $2`,
    [wanted, other],
  );
  expect(await idsOf({ memberId: 'COLLIDES-1' })).toEqual([wanted]);
  expect(await idsOf({ memberId: 'COLLIDES-2' })).toEqual([]);
});

const ofProvider = (npi: string, memberId = 'M-NPI') =>
  aRequest({
    patient_info: aPatient({ subscriber_id: memberId }),
    provider_info: { npi, name: 'Main Street Dental' },
  });

// Broke: the filter was promised and not known, and the newest requests of everybody were shown.
test('an NPI is found whole, in every account, page by page from either end, and with other criteria', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const made: string[] = [];
  for (const caller of [one, other, one, other, one])
    made.push((await intake(store, caller, ofProvider('1999999992'))).request_id);
  const { request_id: ofMember } = await intake(store, one, ofProvider('1999999992', 'M-OTHER'));
  await intake(store, one, ofProvider('1234567893'));
  const pages = async (order: ListOrder) =>
    (await readPages(2, (page) => search({ npi: ' 1999999992', ...page, order })))
      .flat()
      .map(({ request_id: id }) => id);
  expect(await pages('oldest')).toEqual([...made, ofMember]);
  expect(await pages('newest')).toEqual([...made, ofMember].toReversed());
  expect(await idsOf({ npi: '1999999992', memberId: 'M-OTHER' })).toEqual([ofMember]);
  expect(await idsOf({ npi: '1999999992', caller: other })).toEqual([made[3], made[1]]);
  expect(await idsOf({ npi: '1999999992', accountId: other.accountId })).toEqual([made[3], made[1]]);
  for (const npi of ['199999999', '', ' ', '1999999992\0']) expect(await idsOf({ npi })).toEqual([]);
});

test('an NPI has another number in each account, and one of a shared number is not shown', async () => {
  const [one, another] = [await anAccount(store), await anAccount(store)];
  const { request_id: wanted } = await intake(store, one, ofProvider('1888888882'));
  const { request_id: collides } = await intake(store, one, ofProvider('1777777772'));
  await intake(store, another, ofProvider('1888888882'));
  const numbers = await sql('select distinct npi_index from request where account_id = any ($1)', [
    [one.accountId, another.accountId],
  ]);
  expect(numbers).toHaveLength(3);
  await sql('update request set npi_index = (select npi_index from request where id = $1) where id = $2', [
    wanted,
    collides,
  ]);
  expect(await idsOf({ npi: '1888888882', accountId: one.accountId })).toEqual([wanted]);
});

test('pages go from newest to oldest, also through filters that few requests meet', async () => {
  const caller = await anAccount(store);
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1)
    made.unshift((await intake(store, caller, about('PAGED'))).request_id);
  for (const by of [{ memberId: 'PAGED' }, { accountId: caller.accountId }]) {
    const first = await search({ ...by, limit: 2 });
    expect(first.next_cursor).toBe(made[1]);
    const rest = await search({ ...by, limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items].map(({ request_id: id }) => id)).toEqual(made);
    expect(rest.next_cursor).toBeNull();
  }
});

// An operator works on what has waited longest: it must be all that the list from the other end has.
test('the oldest first is the newest first from the other end, whatever is searched by', async () => {
  const caller = await anAccount(store);
  const made = [];
  for (let count = 0; count < 7; count += 1)
    made.push(
      (
        await (count % 3 === 1
          ? aFinishedRequest(store, caller, about('BOTH'))
          : intake(store, caller, about('BOTH')))
      ).request_id,
    );
  const { accountId } = caller;
  const span = { since: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
  for (const by of [
    { memberId: 'BOTH' },
    { accountId },
    { accountId, ...span },
    { accountId, state: 'pending' as const },
    { accountId, state: 'complete' as const, payerId: PAYER_ID },
    { ...span }, // across accounts, those of other tests as well
  ]) {
    const all = async (order: ListOrder) =>
      (await readPages(2, (page) => search({ ...by, ...page, order })))
        .flat()
        .map(({ request_id: id }) => id);
    const newest = await all('newest');
    expect(newest.length).toBeGreaterThan(1);
    expect(await all('oldest')).toEqual(newest.toReversed());
  }
  expect(await idsOf({ accountId, order: 'oldest' })).toEqual(made);
});

test('each filter selects, and all together', async () => {
  const caller = await anAccount(store);
  const waiting = await intake(store, caller);
  const finished = await aFinishedRequest(store, caller);
  const failed = await intake(store, caller);
  await sql(
    `update request set delivery = 'exhausted', delivery_reason = 'webhook_exhausted' where id = $1`,
    [finished.request_id],
  );
  const routes = [
    {
      payerId: PAYER_ID,
      channels: [{ source: 'agent_phone_call', attemptCountMax: 1, secondsMax: 1 }],
      skipsUnattended: false,
      holdsAgentResults: false,
      phoneHours: null,
      inFlightCountMax: null,
    },
  ] as const;
  await sql(`update work_queue set channel = 'manual_phone_call' where request_id = $1`, [failed.request_id]);
  const { accountId } = caller;
  const found = (criteria: Partial<RequestSearch>) => idsOf({ accountId, routes, ...criteria });
  expect(await found({ state: 'pending' })).toEqual([failed.request_id, waiting.request_id]);
  expect(await found({ state: 'error_sending_webhook' })).toEqual([finished.request_id]);
  expect(await idsOf({ state: 'error_sending_webhook', routes })).toContain(finished.request_id);
  expect(await found({ errorReason: 'webhook_exhausted' })).toEqual([finished.request_id]);
  expect(await found({ errorReason: 'member_not_found' })).toEqual([]);
  expect(await found({ channel: 'manual_phone_call' })).toEqual([failed.request_id]);
  expect(await found({ channel: 'agent_phone_call', state: 'pending' })).toEqual([waiting.request_id]);
  expect(await found({ payerId: 'another' })).toEqual([]);
  expect(await found({ since: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await found({ until: new Date(Date.now() - 60_000) })).toEqual([]);
  expect(
    await found({ payerId: PAYER_ID, since: new Date(Date.now() - 60_000), channel: 'manual_phone_call' }),
  ).toEqual([failed.request_id]);
});

// A list shows whose requests they are and what was answered: without it nobody would know who read that.
test('each request that a search shows is on record, whatever it was found by; one that found none is one line', async () => {
  const caller = await anAccount(store, { kind: 'platform' });
  const clinic = await anAccount(store);
  const { request_id: requestId } = await intake(store, clinic, about('ON-RECORD'));
  await search({ caller, memberId: 'ON-RECORD' });
  await search({ caller, memberId: 'OF-NOBODY' });
  await search({ caller, accountId: clinic.accountId, state: 'pending' });
  await search({ caller, accountId: clinic.accountId, state: 'complete' });
  expect(await accessLines(stores, caller)).toEqual([
    ['requests.search', requestId],
    ['requests.search', null],
    ['requests.search', requestId],
    ['requests.search', null],
  ]);
});

/** What a list shows of the patient and of the answer, of an account's only request. */
async function shownOf(caller: Caller) {
  const [item, ...others] = (await search({ caller, accountId: caller.accountId })).items;
  expect(others).toEqual([]);
  const { patient_initials, service_date, answer, answer_reason, held } = item ?? {};
  return { patient_initials, service_date, answer, answer_reason, held };
}

const coverage = (eligibility_status: 'Active' | 'Inactive' | null) =>
  anEntry({ plan_info: { eligibility_status } });

// Without it a clinic would open each of its requests to learn whose it is, and what was answered.
test('a list shows the initials, the day of service, the answer and whether an output is held', async () => {
  const pending = await anAccount(store);
  await intake(store, pending, aRequest(), { serviceDate: '2026-12-03' });
  expect(await shownOf(pending)).toEqual({
    patient_initials: 'J. D.',
    service_date: '2026-12-03',
    answer: 'pending',
    answer_reason: null,
    held: false,
  });
  for (const [insurance_data, answer] of [
    [[coverage('Active')], 'active'],
    [[coverage('Inactive')], 'inactive'],
    [[coverage('Inactive'), coverage('Active')], 'active'],
    [[coverage(null)], 'unstated'],
    [[], 'unstated'],
  ] as const) {
    const clinic = await anAccount(store);
    const output = anOutput(await intake(store, clinic));
    await submit(store, { ...output, insurance_data: [...insurance_data] });
    expect(await shownOf(clinic)).toMatchObject({ answer, answer_reason: null, held: false });
  }
  const held = await anAccount(store);
  const heldId = await hold(store, anOutput(await intake(store, held)), { trusted: false });
  expect(await shownOf(held)).toMatchObject({ answer: 'pending', held: true });
  await dismissHeldOutput(store, { caller: aPlatformCaller(), heldId });
  expect(await shownOf(held)).toMatchObject({ held: false });
});

test('why it could not be verified shows, also where the result was not delivered', async () => {
  const clinic = await anAccount(store);
  const output = anOutput(await intake(store, clinic));
  const request = { ...output.request, state: 'error_verifying' as const, error_reason: 'member_not_found' };
  await submit(store, { ...output, request, insurance_data: [] });
  const failed = { answer: 'not_verified', answer_reason: 'member_not_found' };
  expect(await shownOf(clinic)).toMatchObject(failed);
  await sql(
    `update request set delivery = 'exhausted', delivery_reason = 'webhook_exhausted' where account_id = $1`,
    [clinic.accountId],
  );
  expect(await shownOf(clinic)).toMatchObject(failed);
});

// Without it fifty requests of a megabyte would be in memory at once, for a list that shows two letters of each.
test('a page of large results ends at 2 MB, and the next one continues', async () => {
  const clinic = await anAccount(store);
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const request = await intake(store, clinic);
    await submit(store, anOutput(request, { notes: 'x'.repeat(900_000) }));
    made.unshift(request.request_id);
  }
  for (const order of ['newest', 'oldest'] as const) {
    const pages = await readPages(4, (page) => search({ accountId: clinic.accountId, order, ...page }));
    expect(pages.map((page) => page.length)).toEqual([3, 2]);
    const ids = pages.flat().map(({ request_id: id }) => id);
    expect(ids).toEqual(order === 'newest' ? made : made.toReversed());
  }
});

// Without it the number in the navigation would lead to another list than it counts.
test('late are those without a result when they are needed, within reach, from either end', async () => {
  const [clinic, other] = [await anAccount(store), await anAccount(store)];
  const needed = async (caller: Caller, seconds: number) => {
    const neededBy = new Date(Date.now() + 3_600_000);
    const request = await intake(store, caller, about('LATE'), { neededBy });
    const by = 'needed_by = now() + make_interval(secs => $2)';
    await sql(`update request set ${by} where id = $1`, [request.request_id, seconds]);
    await sql(`update work_queue set ${by} where request_id = $1`, [request.request_id, seconds]);
    return request;
  };
  const late = [];
  for (const seconds of [-60, -3_600, -1]) late.push((await needed(clinic, seconds)).request_id);
  await needed(clinic, 3_600);
  await intake(store, clinic);
  const { request_id: elsewhere } = await needed(other, -60);
  await submit(store, anOutput(await needed(clinic, -60)));
  const found = async (by: Partial<RequestSearch>) =>
    (await readPages(2, (page) => search({ late: true, ...by, ...page })))
      .flat()
      .map((one) => one.request_id);
  expect(await found({ caller: clinic })).toEqual(late.toReversed());
  expect(await found({ caller: clinic, order: 'oldest' })).toEqual(late);
  expect(await found({})).toEqual([elsewhere, ...late.toReversed()]);
  expect(await found({ accountId: other.accountId })).toEqual([elsewhere]);
  expect(await found({ caller: clinic, state: 'complete' })).toEqual([]);
  expect(await found({ caller: clinic, memberId: 'LATE' })).toEqual(late.toReversed());
  expect(await countRequests(store, { caller: clinic })).toEqual({ late_count: 3, given_up_count: 0 });
  expect(await countRequests(store, { caller: aPlatformCaller() })).toMatchObject({ late_count: 4 });
  expect(await countRequests(store, { caller: aPlatformCaller('test') })).toMatchObject({ late_count: 0 });
});
