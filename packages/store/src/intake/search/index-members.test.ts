import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../../test/ground/stages.ts';
import { indexMembers, searchRequests } from '../../index.ts';

const { store, rival, sql } = await openTestStores();

const about = (memberId: string) => aRequest({ patient_info: aPatient({ subscriber_id: memberId }) });

const found = async (memberId: string) => {
  const search = { caller: aPlatformCaller(), routes: [], limit: 10, memberId };
  return (await searchRequests(store, search)).items.map(({ request_id: id }) => id);
};

// Without it a patient's requests from before the upgrade would not be found, and nobody would be told.
test('requests of before are found once their batches are done, also by a second process', async () => {
  const caller = await anAccount(store);
  const made = [];
  for (let count = 0; count < 5; count += 1)
    made.push((await intake(store, caller, about(`BEFORE-${count % 2}`))).request_id);
  const { request_id: blank } = await intake(store, caller, about(' '));
  await sql('update request set member_index = null');
  const { request_id: broken } = await intake(store, caller, about('BROKEN'));
  await sql(`update request set member_index = null, input = 'x' where id = $1`, [broken]);
  expect(await found('BEFORE-1')).toEqual([]);
  const first = await indexMembers(store, { limit: 3 });
  expect(first).toEqual({ kind: 'indexed', count: 3, before: made[4] });
  const second = await indexMembers(rival, { limit: 3, before: made[4] });
  expect(second).toEqual({ kind: 'indexed', count: 3, before: made[1] });
  expect(await indexMembers(rival, { limit: 3 })).toEqual({ kind: 'indexed', count: 1, before: null });
  expect(await found('BEFORE-0')).toEqual([made[4], made[2], made[0]]);
  expect(await found('BEFORE-1')).toEqual([made[3], made[1]]);
  expect(await sql('select id from request where member_index is null')).toEqual([]);
  expect(await sql('select id from request where member_index = 0 order by id')).toEqual([
    { id: blank },
    { id: broken },
  ]);
});

// Without it two processes would open and write every request of before twice.
test('of two processes at once one works', async () => {
  const caller = await anAccount(store);
  for (let count = 0; count < 20; count += 1) await intake(store, caller);
  await sql('update request set member_index = null');
  const runs = await Promise.all([store, rival, store, rival].map((one) => indexMembers(one, { limit: 5 })));
  expect(runs.filter(({ kind }) => kind === 'indexed').length).toBeGreaterThan(0);
  const count = runs.reduce((sum, run) => sum + (run.kind === 'indexed' ? run.count : 0), 0);
  const done = await sql('select id from request where member_index is not null');
  expect(done).toHaveLength(count);
});
