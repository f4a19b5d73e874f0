import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../test/ground/stages.ts';
import { createMasterKey, searchRequests, type Store } from '../index.ts';

vi.setConfig({ testTimeout: 30_000 });

const { store, open, encryptionKey } = await openTestStores();

const about = (memberId: string) => aRequest({ patient_info: aPatient({ subscriber_id: memberId }) });

const found = async (by: Store) => {
  const search = { caller: aPlatformCaller(), routes: [], limit: 10, memberId: 'ROTATED' };
  return (await searchRequests(by, search)).items.map(({ request_id: id }) => id).toReversed();
};

// Without it a patient would not be found until every request was indexed anew, or some never.
test('a member id is found by every process through all steps of a rotation of the master key, and after', async () => {
  const caller = await anAccount(store);
  const next = createMasterKey('k2');
  const made = [(await intake(store, caller, about('ROTATED'))).request_id];
  const steps = [`${encryptionKey},${next}`, `${next},${encryptionKey}`, next];
  const opened = [store];
  for (const keys of steps) {
    const process = await open({ encryptionKey: keys });
    opened.push(process);
    made.push((await intake(process, caller, about('ROTATED'))).request_id);
    for (const one of opened) expect(await found(one)).toEqual(made);
  }
});
