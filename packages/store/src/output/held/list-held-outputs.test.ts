import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../../test/ground/access-lines.ts';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { readPages } from '../../../test/ground/read-pages.ts';
import { aFinishedRequest, anAccount, hold } from '../../../test/ground/stages.ts';
import { theHeldOutput } from '../../../test/ground/the-stored.ts';
import { applyHeldOutput, dismissHeldOutput, getHeldOutput, listHeldOutputs } from '../../index.ts';
import { issueId } from '../../issued-id.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const operator = await anAccount(store, { kind: 'platform' });

// Without it an operator would see settled outputs, miss waiting ones, or see some twice.
test('what waits comes newest first, page by page; what is settled does not', async () => {
  const request = await aFinishedRequest(store, operator);
  const ids: string[] = [];
  for (const notes of ['1', '2', '3', '4', '5', '6', '7'])
    ids.unshift(await hold(store, anOutput(request, { notes })));
  await dismissHeldOutput(store, { caller: operator, heldId: ids[1] ?? '' });
  await applyHeldOutput(store, { caller: operator, heldId: ids[3] ?? '' });
  const waiting = ids.filter((_, index) => index !== 1 && index !== 3);
  const pages = await readPages(
    2,
    (page) => listHeldOutputs(rival, { caller: operator, ...page }),
    () => hold(store, anOutput(request, { notes: String(Math.random()) })),
  );
  expect(pages.flat().map((held) => held.held_id)).toEqual(waiting);
  const oldestFirst = await readPages(2, (page) =>
    listHeldOutputs(rival, { caller: operator, order: 'oldest', ...page }),
  );
  expect(
    oldestFirst
      .flat()
      .map((held) => held.held_id)
      .slice(0, 5),
  ).toEqual(waiting.toReversed());
  expect(pages[0]?.[0]).toEqual({
    held_id: ids[0],
    reason: 'superseding',
    received_at: expect.any(String),
    request_id: request.request_id,
    account_name: 'Clinic',
    account_mode: 'live',
    payer: request.input.payer_info.name,
    patient_initials: 'J. D.',
    offered_by: null,
    differs: [],
    changes: ['notes'],
  });
});

/** What a list shows of one output. */
async function listed(heldId: string) {
  const { items } = await listHeldOutputs(store, { caller: operator, limit: 1 });
  const [item] = items;
  expect(item?.held_id).toBe(heldId);
  return item;
}

// Without it an operator would open each output of a list to learn what is wrong with it.
test('what differs is named as the comparison finds it, once, in what is repeated and in the coverages', async () => {
  const request = await aFinishedRequest(store, operator);
  const output = anOutput(request, {
    insurance_data: [
      anEntry({ patient_info: { subscriber_id: 'w-123 456 789', dob: '1984-05-18', name: 'Jane Dole' } }),
      anEntry({ patient_info: { subscriber_id: 'W123456798', dob: '1984-05-18' } }),
    ],
  });
  const { input } = output.request;
  const said = {
    ...input,
    provider_info: { ...input.provider_info, npi: '1245319599' },
    cpt_code_coverage: ['D9999'],
  };
  const heldId = await hold(store, { ...output, request: { ...output.request, input: said } });
  expect((await listed(heldId))?.differs).toEqual([
    'provider_info.npi',
    'cpt_code_coverage',
    'dob',
    'patient_name',
    'subscriber_id',
  ]);
});

// Broke: each list compared what it listed, and an anonymous sender's output of a megabyte stopped the event loop for minutes.
test.each([
  ['a verifier', {}],
  ['a sender without a key', { caller: null, trusted: false }],
])('what differs is found once, also of %s, and a list opens no output', async (_, sender) => {
  const request = await aFinishedRequest(store, operator);
  const other = { patient_info: { subscriber_id: 'W123456789', dob: '1990-01-01' } };
  const heldId = await hold(store, anOutput(request, { insurance_data: [anEntry(other)] }), sender);
  expect((await listed(heldId))?.differs).toEqual(['dob']);
  await sql(`update held_output set body = 'x' where id = $1`, [heldId]);
  expect((await listed(heldId))?.differs).toEqual(['dob']);
});

// Without it a page of large outputs, a megabyte each, would all be open in memory at once.
test('outputs that are large together are compared, each, a few at a time', async () => {
  const request = await aFinishedRequest(store, operator);
  const large = (dob: string) =>
    anOutput(request, {
      notes: 'x'.repeat(900_000),
      insurance_data: [anEntry({ patient_info: { subscriber_id: 'W123456789', dob } })],
    });
  for (const day of ['01', '02', '03', '04', '05']) await hold(store, large(`1990-01-${day}`));
  const { items } = await listHeldOutputs(store, { caller: operator, limit: 5 });
  expect(items.map(({ differs }) => differs)).toEqual(Array.from({ length: 5 }, () => ['dob']));
});

// Without it one altered row would take the whole list from the operators.
test('one that does not open stays in the list, and differs in nothing', async () => {
  const request = await aFinishedRequest(store, operator);
  const other = { patient_info: { subscriber_id: 'W123456789', dob: '1990-01-01' } };
  const output = anOutput(request, { insurance_data: [anEntry(other)] });
  const heldId = await hold(store, output);
  expect((await listed(heldId))?.differs).toEqual(['dob']);
  await sql(`update held_output set differences = 'x' where id = $1`, [heldId]);
  expect(await listed(heldId)).toMatchObject({ request_id: request.request_id, differs: [] });
  await sql(`update held_output set differences = null, body = 'x' where id = $1`, [heldId]);
  expect(await listed(heldId)).toMatchObject({ request_id: request.request_id, differs: [] });
});

// Without it an operator would read a clinic's tests before the outputs about patients.
test('what waits is kept to live or to test accounts', async () => {
  const trial = await anAccount(store, { mode: 'test' });
  const [live, tried] = [
    await hold(store, anOutput(await aFinishedRequest(store, operator), { notes: 'live' })),
    await hold(store, anOutput(await aFinishedRequest(store, trial), { notes: 'test' })),
  ];
  const shown = async (onlyMode?: 'live' | 'test') => {
    const { items } = await listHeldOutputs(store, { caller: { ...operator, onlyMode }, limit: 100 });
    return items.filter(({ held_id: id }) => id === live || id === tried).map((one) => one.account_mode);
  };
  expect([await shown(), await shown('live'), await shown('test')]).toEqual([
    ['test', 'live'],
    ['live'],
    ['test'],
  ]);
});

// Without it an operator could not find what has waited for long among what came just now.
test('what waits is narrowed by when it came', async () => {
  const request = await aFinishedRequest(store, operator);
  const ids = [
    await hold(store, anOutput(request, { notes: 'old' })),
    await hold(store, anOutput(request, { notes: 'new' })),
  ] as const;
  await sql("update held_output set received_at = now() - interval '2 hours' where id = $1", [ids[0]]);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const within = async (span: { since?: Date; until?: Date }) => {
    const { items } = await listHeldOutputs(store, { caller: operator, limit: 100, ...span });
    return items.map((held) => held.held_id).filter((id) => ids.includes(id));
  };
  expect(await within({ until: anHourAgo })).toEqual([ids[0]]);
  expect(await within({ since: anHourAgo })).toEqual([ids[1]]);
  expect(await within({ since: anHourAgo, until: anHourAgo })).toEqual([]);
});

// Without it an operator could not read an output exactly as submitted, or not after it was settled.
test('one is read whole, settled or not', async () => {
  const request = await aFinishedRequest(store, operator);
  const output = anOutput(request, { notes: 'a\0\ud800' });
  const heldId = await hold(store, output);
  const waiting = {
    held_id: heldId,
    reason: 'superseding',
    received_at: expect.any(String),
    request_id: request.request_id,
    status: 'held',
    note: null,
    output,
  };
  expect(await theHeldOutput(rival, operator, heldId)).toEqual(waiting);
  await dismissHeldOutput(store, { caller: operator, heldId, note: 'wrong\0\ud800 plan' });
  expect(await theHeldOutput(rival, operator, heldId)).toEqual({
    ...waiting,
    status: 'dismissed',
    note: 'wrong\0\ud800 plan',
  });
});

// Without it a malformed id would be a 500.
test.each(['', '\0', issueId('held'), issueId('req')])('%j is no held output', async (heldId) => {
  const none = { kind: 'not_found' };
  expect(await getHeldOutput(store, { caller: operator, heldId })).toEqual(none);
  expect(await applyHeldOutput(store, { caller: operator, heldId })).toEqual(none);
  expect(await dismissHeldOutput(store, { caller: operator, heldId })).toEqual(none);
});

// Without it nobody would know who read or settled another account's patient data.
test('what operators do is in the access log', async () => {
  const caller = await anAccount(store, { kind: 'platform' });
  const request = await aFinishedRequest(store, operator);
  const matched = await hold(store, anOutput(request, { notes: 'log' }));
  const unmatched = await hold(store, anOutput(request, { request_id: null }));
  await listHeldOutputs(store, { caller, limit: 1 });
  await getHeldOutput(store, { caller, heldId: matched });
  await getHeldOutput(store, { caller, heldId: unmatched });
  await applyHeldOutput(store, { caller, heldId: matched });
  await dismissHeldOutput(store, { caller, heldId: unmatched });
  expect(await accessLines(stores, caller)).toEqual([
    ['heldOutputs.list', null],
    ['heldOutputs.get', request.request_id],
    ['heldOutputs.get', null],
    ['heldOutputs.apply', request.request_id],
    ['heldOutputs.dismiss', null],
  ]);
});
