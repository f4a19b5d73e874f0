import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake, PAYER_ID } from '../../test/stages.ts';
import { insertRequests, searchRequests } from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;

// Without it one damaged row would hide every other request that an operator searches for.
test('a request that does not open costs its own place, and is told', async () => {
  const callers = [await anAccount(store), await anAccount(store)];
  const created = { payerId: PAYER_ID, input: aRequest(), idempotencyKey: 'same' };
  await insertRequests(
    store,
    callers.map((caller) => ({ ...created, caller })),
  );
  const [damaged, intact] = callers.map(({ accountId }) => accountId);
  const [row] = await sql(`update request set input = 'x' where account_id = $1 returning id`, [damaged]);
  const search = { caller: aPlatformCaller(), idempotencyKey: 'same', limit: 10 };
  expect(await searchRequests(store, search)).toMatchObject({
    kind: 'found',
    items: [{ account_id: intact }],
    unreadableIds: [row?.['id']],
  });
});

// Without it a caller restricted to its own account would read others' patients if the endpoint's scopes changed.
test('a caller of one account finds its own requests alone', async () => {
  const [one, other] = [await anAccount(store), await anAccount(store)];
  const { request_id: requestId } = await intake(store, other);
  const by = { requestId, limit: 10 };
  expect((await searchRequests(store, { ...by, caller: one })).items).toEqual([]);
  expect((await searchRequests(store, { ...by, caller: other })).items).toHaveLength(1);
});
