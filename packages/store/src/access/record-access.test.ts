import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { recordAccess } from './record-access.ts';

const { store, sql } = await openTestStores();
const caller = { keyId: 'key_1', accountId: 'acct_1' };

// Without it the record of an access could be wiped out afterwards.
test.each([
  `update access_log set operation = 'x'`,
  'update access_log set key_id = null where false',
  'delete from access_log',
  'truncate access_log',
  `insert into access_log (id, operation) overriding system value values (1, 'x')
     on conflict do nothing; delete from access_log where operation = 'x'`,
])('%s is refused', async (statement) => {
  await recordAccess(store.db, { caller, operation: 'keys.list' });
  const before = await sql('select * from access_log order by id');
  await expect(sql(statement)).rejects.toThrow('append-only');
  expect(await sql('select * from access_log order by id')).toEqual(before);
});

// Without it reading a list of fifty patients would be one line that names none of them, and an empty list no line at
// all.
test('each request seen is a line, an operation on none is one line', async () => {
  const reader = { ...caller, keyId: 'key_2' };
  await recordAccess(store.db, {
    caller: reader,
    operation: 'requests.list',
    requestIds: ['req_1', 'req_2'],
  });
  await recordAccess(store.db, { caller: reader, operation: 'requests.list', requestIds: [] });
  await recordAccess(store.db, { caller: reader, operation: 'keys.list' });
  const lines =
    await sql(`select operation, request_id, at > now() - interval '1 minute' as recent from access_log
    where key_id = 'key_2' order by id`);
  expect(lines).toEqual([
    { operation: 'requests.list', request_id: 'req_1', recent: true },
    { operation: 'requests.list', request_id: 'req_2', recent: true },
    { operation: 'requests.list', request_id: null, recent: true },
    { operation: 'keys.list', request_id: null, recent: true },
  ]);
});

// Without it an open operation that changed a request would leave no trace.
test('a caller without a key is a line without one', async () => {
  await recordAccess(store.db, { caller: null, operation: 'verificationOutput.submit' });
  expect(
    await sql(`select key_id, account_id from access_log where operation = 'verificationOutput.submit'`),
  ).toEqual([{ key_id: null, account_id: null }]);
});
