import { aPatient } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { anEntry } from '../../../test/ground/an-entry.ts';
import { breakOff } from '../../../test/ground/break-off.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aPrivacyPerson, ENDING, erase } from '../../../test/ground/some-people.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
} from '../../../test/ground/stages.ts';
import { workQueue } from '../../../test/ground/work-queue.ts';
import { askErasure, type Caller, confirmErasure, eraseDue } from '../../index.ts';

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
  const ofStranger = await hold(store, naming('stranger', 1), stranger);
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
    [[mixed, ofStranger, alone, outOfReach]],
  );
  expect(left.map(({ id }) => id)).toEqual([mixed, ofStranger].toSorted());
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
