import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { issueId } from '../issued-id.ts';
import { type Access, recordAccess } from './record-access.ts';

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

// Without it reading a list of fifty patients would be a line that names none of them, and an empty list no line at all.
test('a call is a line, with the ids of all requests that it concerns', async () => {
  const reader = { ...caller, keyId: 'key_2' };
  for (const requestIds of [['req_1', 'req_2'], ['req_3'], []])
    await recordAccess(store.db, { caller: reader, operation: 'requests.list', requestIds });
  await recordAccess(store.db, { caller: reader, operation: 'keys.list' });
  const lines = await sql(`select operation, request_id, request_ids,
    at > now() - interval '1 minute' as recent from access_log where key_id = 'key_2' order by id`);
  expect(lines).toEqual([
    { operation: 'requests.list', request_id: null, request_ids: ['req_1', 'req_2'], recent: true },
    { operation: 'requests.list', request_id: 'req_3', request_ids: null, recent: true },
    { operation: 'requests.list', request_id: null, request_ids: null, recent: true },
    { operation: 'keys.list', request_id: null, request_ids: null, recent: true },
  ]);
});

/** A person of a new session, and what the lines of that session are about. */
function aLooker() {
  const sessionId = issueId('ses');
  const by = { name: 'Ada', sessionId, address: null, isEmergency: false };
  const looker = { ...caller, by, look: Buffer.from('a filter') };
  const look = (requestIds: string[], other: Partial<Access['caller']> = {}, db = store.db) =>
    recordAccess(db, { caller: { ...looker, ...other }, operation: 'requests.search', requestIds });
  const lines = async () => {
    const rows = await sql<{ about: unknown }>(
      `select coalesce(to_jsonb(request_id), to_jsonb(request_ids)) as about from access_log
       where session_id = $1 order by id`,
      [sessionId],
    );
    return rows.map(({ about }) => about);
  };
  const passed = (minutes: number) =>
    sql(`update look set began_at = began_at - make_interval(mins => $2) where session_id = $1`, [
      sessionId,
      minutes,
    ]);
  return { look, lines, passed };
}

// Broke: a page that stayed open for two minutes left thirteen lines, one for each time that it read itself again.
test('a look is one line however often it is repeated, and another for what was not in it', async () => {
  const { look, lines } = aLooker();
  for (let count = 0; count < 13; count += 1) await look(['req_1', 'req_2']);
  expect(await lines()).toEqual([['req_1', 'req_2']]);
  await look(['req_2']);
  await look(['req_3', 'req_2', 'req_4']);
  await look(['req_4', 'req_5']);
  await look([]);
  expect(await lines()).toEqual([['req_1', 'req_2'], ['req_3', 'req_4'], 'req_5']);
});

test('a look that finds nothing is one line as well, until it finds something', async () => {
  const { look, lines } = aLooker();
  for (const found of [[], [], ['req_1'], []]) await look(found);
  expect(await lines()).toEqual([null, 'req_1']);
});

// Breaks if a page that stays open for a day were in the audit once, or if a later addition began a look's 15 minutes.
test('a look lasts 15 minutes from its first reading; then the same begins another', async () => {
  const { look, lines, passed } = aLooker();
  await look(['req_1']);
  await passed(10);
  await look(['req_1', 'req_2']);
  await passed(4);
  await look(['req_1', 'req_2']);
  expect(await lines()).toEqual(['req_1', 'req_2']);
  await passed(1);
  await look(['req_2', 'req_1']);
  await look(['req_1']);
  expect(await lines()).toEqual(['req_1', 'req_2', ['req_2', 'req_1']]);
});

test('another session, another operation and another filter are other looks, and a key has none', async () => {
  const { look, lines } = aLooker();
  const other = aLooker();
  await look(['req_1']);
  await other.look(['req_1']);
  await look(['req_1'], { look: Buffer.from('another') });
  expect([await lines(), await other.lines()]).toEqual([['req_1', 'req_1'], ['req_1']]);
  const by = { name: 'a key', sessionId: null, address: null, isEmergency: false };
  for (let count = 0; count < 2; count += 1)
    await recordAccess(store.db, { caller: { ...caller, keyId: 'key_3', by }, operation: 'requests.list' });
  expect(await sql(`select from access_log where key_id = 'key_3'`)).toHaveLength(2);
});

// Breaks if a reading whose line was not written counted as recorded: the next one would leave none either.
test('a look whose line was not written is not remembered', async () => {
  const { look, lines } = aLooker();
  const failing = store.db.transaction().execute(async (trx) => {
    await look(['req_1'], {}, trx);
    throw new Error('the commit failed');
  });
  await expect(failing).rejects.toThrow('the commit failed');
  expect(await lines()).toEqual([]);
  await look(['req_1']);
  expect(await lines()).toEqual(['req_1']);
});

// Several processes may serve one session: the rule is the database's.
test('the same read over several connections at once is one line', async () => {
  const { look, lines } = aLooker();
  await Promise.all(Array.from({ length: 8 }, () => look(['req_1', 'req_2'])));
  expect(await lines()).toEqual([['req_1', 'req_2']]);
});

// Without it an open operation that changed a request would leave no trace.
test('a caller without a key is a line without one', async () => {
  await recordAccess(store.db, { caller: null, operation: 'verificationOutput.submit' });
  expect(
    await sql(`select key_id, account_id from access_log where operation = 'verificationOutput.submit'`),
  ).toEqual([{ key_id: null, account_id: null }]);
});
