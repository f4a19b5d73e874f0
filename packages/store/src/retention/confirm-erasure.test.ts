import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { breakOff } from '../../test/ground/break-off.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPrivacyPerson, ENDING, erase } from '../../test/ground/some-people.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
} from '../../test/ground/stages.ts';
import { workQueue } from '../../test/ground/work-queue.ts';
import {
  askErasure,
  type Caller,
  confirmErasure,
  createApiKey,
  eraseDue,
  getRequest,
  listErasures,
} from '../index.ts';
import type { AlteredRow } from '../row-macs/row-macs.ts';

vi.setConfig({ testTimeout: 30_000 });

const stores = await openTestStores();
const { store, sql } = stores;
const caller = await anAccount(store);
const person = await aPrivacyPerson(store);

const ask = async (asker: Caller, requestId: string) => {
  const asked = await askErasure(store, { caller: asker, requestId, reason: 'wrong_patient' });
  if (asked.kind !== 'asked') throw new Error(`It was not asked for: ${asked.kind}.`);
  return asked.erasure;
};
const confirm = (confirmer: Caller, erasureId: string, memberIdEnding = ENDING) =>
  confirmErasure(store, { caller: confirmer, erasureId, memberIdEnding, backupDays: 30 });

// Without it one person's mistake, or their intent, would be enough to destroy a record.
test('the person who asks does not confirm while there is another person, also not through a key of theirs', async () => {
  await aPrivacyPerson(store);
  const { request_id: id } = await aFinishedRequest(store, caller);
  const own = await ask(person, id);
  expect(await confirm(person, own.erasure_id)).toEqual({
    kind: 'another_person_required',
    because: 'asked_it',
  });
  const made = await createApiKey(store, {
    caller: { ...aPlatformCaller(), keyId: person.keyId },
    accountId: (await anAccount(store, { kind: 'platform' })).accountId,
    scopes: ['privacy', 'admin'],
    name: null,
    expiresAt: undefined,
  });
  if (made.kind !== 'created') throw new Error('The key was not made.');
  const { request_id: other } = await aFinishedRequest(store, caller);
  const byKey = await ask({ ...aPlatformCaller(), keyId: made.key.key_id }, other);
  expect(await confirm(person, byKey.erasure_id)).toEqual({
    kind: 'another_person_required',
    because: 'asked_it',
  });
  expect(await getRequest(store, { caller, requestId: id })).toMatchObject({ kind: 'found' });
  expect(await confirm(await aPrivacyPerson(store), own.erasure_id)).toMatchObject({ kind: 'confirmed' });
});

// Without it the retention would write another time and another reason over those of the erasure.
test('the retention leaves what was erased before as it was, and what it erased is not erased again', async () => {
  const account = await anAccount(store);
  const { request_id: id } = await aFinishedRequest(store, account);
  await finish(store, await claimFor(store, id));
  await erase(store, id, { confirmer: person });
  const row = () => sql('select erased_at, erased_reason, delivery from request where id = $1', [id]);
  const before = await row();
  await sql('update account set retention_days = 3 where id = $1', [account.accountId]);
  await sql(`update delivery set done_at = done_at - interval '4 days' where request_id = $1`, [id]);
  await sql(
    `insert into erasure_later (account_id, request_id, since) values ($1, $2, now() - interval '4 days')`,
    [account.accountId, id],
  );
  expect(await eraseDue(store, { limit: 10 })).toMatchObject({ kind: 'erased', count: 0 });
  expect(await row()).toEqual(before);
});

test('the one active person of an installation confirms what they asked for, and the certificate says so', async () => {
  const alone = await openTestStores();
  const account = await anAccount(alone.store);
  const ada = await aPrivacyPerson(alone.store);
  const left = await aPrivacyPerson(alone.store);
  await alone.alter(`update staff set ended_at = now() where id = $1`, [left.keyId]);
  const { request_id: id } = await aFinishedRequest(alone.store, account);
  expect(await erase(alone.store, id, { asker: ada, confirmer: ada })).toMatchObject({
    kind: 'confirmed',
    erasure: { certificate: { by_one_person: true } },
  });
});

// Broke: whoever writes to the database ended everybody else, or altered their rows, and was the only person.
test.each([
  ['ended', 'ended_at = now()'],
  ['altered', `roles = '{viewer}'`],
])('a person whose row somebody %s by SQL counts as there', async (_, set) => {
  const altered = await openTestStores();
  const account = await anAccount(altered.store);
  const ada = await aPrivacyPerson(altered.store);
  const other = await aPrivacyPerson(altered.store);
  await altered.sql(`update staff set ${set} where id = $1`, [other.keyId]);
  const { request_id: id } = await aFinishedRequest(altered.store, account);
  expect(await erase(altered.store, id, { asker: ada, confirmer: ada })).toEqual({
    kind: 'another_person_required',
    because: 'asked_it',
  });
});

// Broke: whoever could write to the database put another asker into the row, and then confirmed what they had asked for.
test.each([
  ['its MAC is wrong', sql],
  ['its MAC is right, as of a process that signs what it is given', stores.alter],
])(
  'an erasure with another asker than the audit has counts as absent, and is reported: %s',
  async (_, alter) => {
    const reported: AlteredRow[] = [];
    const watched = await stores.open({ onAlteredRow: (row) => reported.push(row) });
    const { request_id: id } = await aFinishedRequest(store, caller);
    const own = await ask(person, id);
    const { keyId: other } = await aPrivacyPerson(store);
    await alter(`update erasure set asked_by = $2 where id = $1`, [own.erasure_id, other]);
    const confirming = { erasureId: own.erasure_id, memberIdEnding: ENDING, backupDays: null };
    expect(await confirmErasure(watched, { ...confirming, caller: person })).toEqual({ kind: 'not_found' });
    expect(reported).toEqual([{ table: 'erasure', id: own.erasure_id }]);
    const listed = await listErasures(watched, { caller: person, limit: 100 });
    expect(listed.items.map(({ request_id }) => request_id)).not.toContain(id);
    // It is asked for again, and then somebody else confirms; the certificate has the asker of the line.
    const again = await ask({ ...aPlatformCaller(), keyId: other }, id);
    const confirmed = await confirm(person, again.erasure_id);
    expect(confirmed).toMatchObject({
      erasure: { certificate: { asked_by: other, confirmed_by: person.keyId } },
    });
  },
);

test('a line of the audit about an asker that is written later changes nothing', async () => {
  const { request_id: id } = await aFinishedRequest(store, caller);
  const own = await ask(person, id);
  await sql(
    `insert into access_log (key_id, operation, request_id, subject_id, details)
     values ($1, 'requests.erase', $2, $3, '{"before":null,"after":{"reason":"wrong_patient"}}')`,
    [aPlatformCaller().keyId, id, own.erasure_id],
  );
  expect(await confirm(person, own.erasure_id)).toEqual({
    kind: 'another_person_required',
    because: 'asked_it',
  });
});

// Without it a request would seem to be erased that still has its data, or another reason would be its tombstone's.
test.each([`erased_at = now(), confirmed_by = asked_by`, `wrong_count = 5`, `reason = 'posted_twice'`])(
  'an erasure with %s put in by SQL is absent, and is asked for again',
  async (set) => {
    const { request_id: id } = await aFinishedRequest(store, caller);
    const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
    await sql(`update erasure set ${set} where id = $1`, [erasureId]);
    expect(await confirm(person, erasureId)).toEqual({ kind: 'not_found' });
    const again = await ask(aPlatformCaller(), id);
    expect(again).toMatchObject({ erased_at: null, reason: 'wrong_patient' });
    expect(await confirm(person, again.erasure_id)).toMatchObject({ kind: 'confirmed' });
  },
);

test.each([
  ['W1234567', '4567', '1234'],
  ['w12ab', 'W12AB'.slice(-4).toLowerCase(), '12A'],
  ['A1', 'a1', '1'],
  [' 12 34 ', '2 34', ' 34'],
  ['𝟘𝟙𝟚𝟛𝟜', '𝟙𝟚𝟛𝟜', '𝟛𝟜'],
])('of the member id %s, %s confirms and %s does not', async (memberId, right, wrong) => {
  const about = aRequest({ patient_info: aPatient({ subscriber_id: memberId }) });
  const { request_id: id } = await intake(store, caller, about);
  const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
  expect(await confirm(person, erasureId, wrong)).toEqual({ kind: 'wrong_ending' });
  expect(await confirm(person, erasureId, id.slice(-4))).toEqual({ kind: 'wrong_ending' });
  const refused = await sql(
    `select from access_log where operation = 'erasures.confirm' and outcome = 'refused' and request_id = $1 and details is null`,
    [id],
  );
  expect(refused).toHaveLength(2);
  expect(await confirm(person, erasureId, right)).toMatchObject({ kind: 'confirmed' });
});

// Without it the last four characters of a member id are read by trying: 300 endings took 4.7 s.
test('after five wrong endings the erasure has to be asked for again, at once or one after the other', async () => {
  for (const isAtOnce of [false, true]) {
    const { request_id: id } = await aFinishedRequest(store, caller);
    const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
    const guesses = Array.from({ length: 12 }, (_, index) => `x${index}`);
    const kinds: string[] = [];
    if (isAtOnce)
      for (const { kind } of await Promise.all(guesses.map((guess) => confirm(person, erasureId, guess))))
        kinds.push(kind);
    else for (const guess of guesses) kinds.push((await confirm(person, erasureId, guess)).kind);
    expect(kinds.filter((kind) => kind === 'wrong_ending')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'not_found')).toHaveLength(7);
    expect(await confirm(person, erasureId)).toEqual({ kind: 'not_found' });
    const listed = await listErasures(store, { caller: person, limit: 100, cursor: undefined });
    expect(listed.items.map(({ erasure_id }) => erasure_id)).not.toContain(erasureId);
    const again = await ask(aPlatformCaller(), id);
    expect(await confirm(person, again.erasure_id)).toMatchObject({ kind: 'confirmed' });
  }
});

// Without it what came without a member id, or was damaged, could never be erased.
test('without a member id that can be read, the ending of the request id confirms', async () => {
  const blank = aRequest({ patient_info: aPatient({ subscriber_id: '  ' }) });
  const { request_id: id } = await intake(store, caller, blank);
  const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
  expect(await confirm(person, erasureId, '    ')).toEqual({ kind: 'wrong_ending' });
  expect(await confirm(person, erasureId, id.slice(-4))).toMatchObject({ kind: 'confirmed' });
  const { request_id: damaged } = await intake(store, caller);
  await sql(`update request set input = '\\x0102' where id = $1`, [damaged]);
  const asked = await ask(aPlatformCaller(), damaged);
  expect(await confirm(person, asked.erasure_id, damaged.slice(-4))).toMatchObject({ kind: 'confirmed' });
});

test('asked or confirmed again it changes nothing; the certificate in the audit is the one that was answered', async () => {
  const request = await aFinishedRequest(store, caller);
  const { request_id: id } = request;
  await hold(store, anOutput(request, { notes: 'another' }));
  const first = await erase(store, id, { confirmer: person });
  const lines = () =>
    sql(`select id::text, details from access_log where request_id = $1 and operation = 'erasures.confirm'`, [
      id,
    ]);
  const before = await lines();
  const again = await erase(store, id, { confirmer: person });
  expect(again).toEqual({ ...first, isNew: false });
  expect(await lines()).toEqual(before);
  if (first.kind !== 'confirmed') throw new Error('It was not erased.');
  const { certificate } = first.erasure;
  expect(JSON.parse(String(before[0]?.['details']))).toEqual({ certificate });
  expect(certificate).toEqual({
    request_id: id,
    account_id: caller.accountId,
    reason: 'wrong_patient',
    asked_by: expect.stringMatching(/^key_/),
    asked_at: expect.any(String),
    confirmed_by: person.keyId,
    by_one_person: false,
    erased_at: first.erasure.erased_at,
    erased: {
      results: 1,
      deliveries: 1,
      deliveries_ended: 1,
      responses: 0,
      attempts: 0,
      exchanges: 0,
      drafts: 0,
      held_outputs: 1,
      held_entries: 0,
    },
    copies: [
      { kind: 'table_file', name: null, until: null, ends: expect.any(String) },
      {
        kind: 'write_ahead_log',
        name: expect.stringMatching(/^up to [0-9A-F]+\//),
        until: null,
        ends: expect.any(String),
      },
      {
        kind: 'backup',
        name: expect.stringContaining('each that was made before'),
        until: null,
        ends: expect.any(String),
      },
    ],
  });
  expect((await listErasures(store, { caller: person, limit: 1 })).items).toEqual([
    { ...first.erasure, may_confirm: false },
  ]);
});

test('how long backups are kept is in the certificate, as the day when the last of them is gone', async () => {
  const { request_id: id } = await intake(store, caller);
  const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
  const confirmed = await confirm(person, erasureId);
  if (confirmed.kind !== 'confirmed') throw new Error('It was not erased.');
  const { erased_at: erasedAt, certificate } = confirmed.erasure;
  expect(certificate?.copies.at(-1)).toMatchObject({
    kind: 'backup',
    until: new Date(Date.parse(erasedAt ?? '') + 30 * 86_400_000).toISOString(),
  });
});

test('an erasure that is not confirmed for seven days lapses; asked for again it can be confirmed', async () => {
  const { request_id: id } = await intake(store, caller);
  const first = await ask(aPlatformCaller(), id);
  await stores.alter(`update erasure set asked_at = asked_at - interval '7 days' where request_id = $1`, [
    id,
  ]);
  expect(await confirm(person, first.erasure_id)).toEqual({ kind: 'not_found' });
  const { items } = await listErasures(store, { caller: person, limit: 100 });
  expect(items.map(({ request_id }) => request_id)).not.toContain(id);
  const again = await ask(aPlatformCaller(), id);
  expect(await confirm(person, again.erasure_id)).toMatchObject({ kind: 'confirmed' });
});

// Broke: what somebody asked for waited for a second person, although its data was gone at the end of its retention.
test('a list says who may confirm, and that what the retention erased waits no more', async () => {
  const { request_id: id } = await intake(store, caller);
  const { erasure_id: erasureId } = await ask(person, id);
  const listed = async (as: typeof person) => {
    const { items } = await listErasures(store, { caller: as, limit: 100 });
    return items.find((one) => one.erasure_id === erasureId);
  };
  const second = await aPrivacyPerson(store);
  expect((await listed(person))?.may_confirm).toBe(false);
  expect((await listed(second))?.may_confirm).toBe(true);
  expect((await listed({ ...person, keyId: aPlatformCaller().keyId }))?.may_confirm).toBe(false);
  const at = new Date();
  await sql(`update request set erased_at = $2 where id = $1`, [id, at]);
  expect(await listed(second)).toMatchObject({
    erased_at: at.toISOString(),
    lapses_at: null,
    confirmed_by: null,
    may_confirm: false,
  });
  expect(await confirm(second, erasureId)).toEqual({ kind: 'erased' });
});

test('beyond the caller’s reach there is nothing to erase', async () => {
  const { request_id: id } = await intake(store, caller);
  const stranger = { ...aPlatformCaller('test'), testAccountIds: [] };
  const asking = { caller: stranger, requestId: id, reason: 'wrong_patient' as const };
  expect(await askErasure(store, asking)).toEqual({ kind: 'not_found' });
  const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
  expect(await confirm({ ...stranger, keyId: person.keyId }, erasureId)).toEqual({ kind: 'not_found' });
  expect((await listErasures(store, { caller: stranger, limit: 10 })).items).toEqual([]);
});

// Without it the entry about the wrong patient would stay readable in the output of another request.
test('entries that name it in held outputs of other requests go; one that is left with none goes as a whole', async () => {
  const [wrong, right] = [await intake(store, caller), await intake(store, caller)];
  const naming = (notes: string, others: number) =>
    anOutput(right, {
      insurance_data: [
        ...Array.from({ length: others }, () =>
          anEntry({ notes, patient_info: aPatient({ subscriber_id: 'Z9' }) }),
        ),
        anEntry({ notes: `${notes} of the wrong one`, request_id: wrong.request_id }),
      ],
    });
  const stranger = { caller: null, client: '203.0.113.9', trusted: false };
  const mixed = await hold(store, naming('mixed', 2));
  const ofAnonymous = await hold(store, naming('stranger', 1), stranger);
  const alone = await hold(store, naming('alone', 0));
  const beyond = { ...aPlatformCaller('test'), testAccountIds: [] };
  const outOfReach = await hold(store, anOutput(wrong, { notes: 'out of reach' }), { caller: beyond });
  const heldCounts = () =>
    sql(
      `select is_keyed, sum(row_count)::int as rows, sum(byte_count)::int as bytes from held_count group by 1 order by 1`,
    );
  const done = await erase(store, wrong.request_id, { confirmer: person });
  expect(done).toMatchObject({
    kind: 'confirmed',
    erasure: { certificate: { erased: { held_outputs: 2, held_entries: 2 } } },
  });
  const left = await sql<{ id: string; named_request_id: string | null; body: Buffer; byte_count: number }>(
    'select id, named_request_id, body, byte_count, other_request_ids from held_output where id = any ($1) order by id',
    [[mixed, ofAnonymous, alone, outOfReach]],
  );
  expect(left.map(({ id }) => id)).toEqual([mixed, ofAnonymous].toSorted());
  for (const row of left) expect(row).toMatchObject({ other_request_ids: null });
  const sums = await sql(
    `select received_by is not null as is_keyed, count(*)::int as rows, sum(byte_count)::int as bytes
     from held_output where status = 'held' group by 1 order by 1`,
  );
  expect(await heldCounts()).toEqual(sums);
});

// Without it a process that dies in an erasure would leave a request half erased.
test.each([
  ['lock table draft in access exclusive mode', 'delete from draft'],
  ['lock table held_output in access exclusive mode', '\n    select held.id'],
  ['lock table access_log in share mode', 'insert into "access_log"'],
])('killed at %s it leaves nothing half, and is done when confirmed again', async (holding, waitingIn) => {
  const request = await aFinishedRequest(store, caller);
  const { request_id: id } = request;
  await hold(store, anOutput(request, { notes: 'another' }));
  const { erasure_id: erasureId } = await ask(aPlatformCaller(), id);
  const rows = () =>
    sql(
      `select request.*, result.body, destination, held_output.body as held, delivery_queue.lease
       from request join result on result.request_id = request.id join delivery on delivery.request_id = request.id
       join delivery_queue on delivery_id = delivery.id join held_output on held_output.request_id = request.id
       where request.id = $1`,
      [id],
    );
  const before = await rows();
  expect(before).toHaveLength(1);
  await breakOff(stores, [holding, waitingIn], () => confirm(person, erasureId));
  expect(await rows()).toEqual(before);
  expect(await confirm(person, erasureId)).toMatchObject({ kind: 'confirmed' });
  await workQueue(stores).empty();
});
