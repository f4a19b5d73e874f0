import { beforeEach, expect, test } from 'vitest';
import { encryptAll, sealKey, summary, tamper, verdictOf } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { createSealKey, readSealKey, verifySeals } from '../index.ts';

const { store, sql, connectionString } = await openTestStores();
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);

/** Fifty lines in five seals. */
beforeEach(async () => {
  await change('truncate access_log, audit_seal, audit_drop');
  await sql(
    `insert into access_log (id, key_id, account_id, operation, request_id) overriding system value
     select n, 'key_' || n, 'acct_1', 'requests.get', case when n % 3 > 0 then 'req_' || n end
     from generate_series(1, 50) as n`,
  );
  await encryptAll(store, 10);
});

test('untouched entries are as they were sealed', async () => {
  expect(await verdictOf(store)).toEqual([5, 50]);
});

// The 25th line is in the third seal, 21 to 30.
test.each([
  ['a changed key', 'lines_changed', `update access_log set key_id = 'key_9' where id = 25`],
  ['another name', 'lines_changed', `update access_log set actor_name = '"Ann"' where id = 25`],
  ['another session', 'lines_changed', `update access_log set session_id = 'ses_1' where id = 25`],
  ['another address', 'lines_changed', `update access_log set address = '192.0.2.1' where id = 25`],
  ['emergency access taken away', 'lines_changed', 'update access_log set emergency = true where id = 25'],
  ['another outcome', 'lines_changed', `update access_log set outcome = 'refused' where id = 25`],
  ['another change', 'lines_changed', `update access_log set details = '{}' where id = 25`],
  ['a null made empty', 'lines_changed', `update access_log set request_id = '' where id = 24`],
  ['an empty text made null', 'lines_changed', `update access_log set subject_id = '' where id = 25`],
  [
    'a value in the next column',
    'lines_changed',
    `update access_log set request_id = null, subject_id = request_id where id = 25`,
  ],
  [
    'a time that is a microsecond later',
    'lines_changed',
    `update access_log set at = at + interval '1 microsecond' where id = 25`,
  ],
  ['a removed line', 'lines_removed', 'delete from access_log where id = 25'],
  ['the last line of a range removed', 'lines_removed', 'delete from access_log where id = 30'],
  [
    'an added line',
    'lines_added',
    `insert into access_log (id, operation) overriding system value values (25, 'x')`,
  ],
  [
    'a copied line',
    'lines_added',
    `insert into access_log overriding system value select * from access_log where id = 25`,
  ],
])('%s is found', async (_, fault, statement) => {
  await change('alter table access_log drop constraint if exists access_log_pkey', statement);
  expect(await verdictOf(store)).toEqual([fault, 3]);
  const verdict = await verifySeals(store, { keys: [sealKey.verifier], after: 0 });
  expect(verdict).toMatchObject({ kind: 'bad', range: { firstId: 21n, lastId: 30n, sealedCount: 10 } });
});

test('two lines that changed places are found', async () => {
  await change(
    `with gone as (delete from access_log where id in (24, 25) returning *)
     insert into access_log (id, at, key_id, account_id, operation, request_id) overriding system value
     select 49 - id, at, key_id, account_id, operation, request_id from gone`,
  );
  expect(await verdictOf(store)).toEqual(['lines_changed', 3]);
});

test('a line before the first one is found', async () => {
  await change(`insert into access_log (id, operation) overriding system value values (-7, 'x')`);
  expect(await verdictOf(store)).toEqual(['lines_added', 1]);
});

test.each([
  ['the first seal removed', 'missing_seal', 1, 'delete from audit_seal where number = 1'],
  ['a seal removed', 'missing_seal', 3, 'delete from audit_seal where number = 3'],
  ['two seals removed', 'missing_seal', 3, 'delete from audit_seal where number in (3, 4)'],
  [
    'another time in a note',
    'forged',
    3,
    `update audit_seal set note = replace(note, 'time 2', 'time 1') where number = 3`,
  ],
  ['a note that is none', 'forged', 3, `update audit_seal set note = '' where number = 3`],
  ['a range made longer', 'forged', 3, 'update audit_seal set last_id = 31 where number = 3'],
  [
    'another edge',
    'forged',
    3,
    `update audit_seal set edge = overlay(edge placing '\\x00' from 5) where number = 3`,
  ],
  ['half an edge', 'forged', 3, `update audit_seal set edge = substr(edge, 1, 32) where number = 3`],
  [
    'the note of another seal',
    'forged',
    3,
    'update audit_seal set note = (select note from audit_seal where number = 4) where number = 3',
  ],
  [
    'a renumbered seal',
    'forged',
    3,
    'delete from audit_seal where number = 3; update audit_seal set number = 3 where number = 4',
  ],
])('%s is found', async (_, fault, number, statement) => {
  await change(statement);
  expect(await verdictOf(store)).toEqual([fault, number]);
});

// Whoever has the key, too, cannot seal another past beside the seals that follow.
test('a range that was sealed again with the same key breaks the chain after it', async () => {
  const [, , third] = await sql<{ number: string; note: string }>('select * from audit_seal order by number');
  await change(
    'create table kept as select * from audit_seal where number > 3',
    'delete from audit_seal where number >= 3',
  );
  await change(`update access_log set key_id = 'key_9' where id = 25`);
  await encryptAll(store, 10);
  expect(await verdictOf(store)).toEqual([5, 50]);
  await change(
    'delete from audit_seal where number > 3',
    'insert into audit_seal select * from kept',
    'drop table kept',
  );
  const [, , again] = await sql<{ number: string; note: string }>('select * from audit_seal order by number');
  expect(again?.note).not.toBe(third?.note);
  expect(await verdictOf(store)).toEqual(['broken_chain', 4]);
});

test('a seal of a key that is not given is distinguished from a forged one', async () => {
  const other = readSealKey(createSealKey());
  expect(summary(await verifySeals(store, { keys: [other.verifier], after: 0 }))).toEqual(['unknown_key', 1]);
});

// Breaks if a page could not walk a long log, or lost what lies between two steps.
test('verification continues from any seal, as far as it is asked to', async () => {
  const step = (after: number) => verifySeals(store, { keys: [sealKey.verifier], after, lineCountMax: 15 });
  expect(await step(0)).toEqual({
    kind: 'verified',
    through: 2,
    sealCount: 2,
    lineCount: 20,
    misdatedCount: 0,
    altered: [],
    dropped: [],
    isEnd: false,
  });
  expect(await step(2)).toEqual({
    kind: 'verified',
    through: 4,
    sealCount: 2,
    lineCount: 20,
    misdatedCount: 0,
    altered: [],
    dropped: [],
    isEnd: false,
  });
  expect(await step(4)).toEqual({
    kind: 'verified',
    through: 5,
    sealCount: 1,
    lineCount: 10,
    misdatedCount: 0,
    altered: [],
    dropped: [],
    isEnd: true,
  });
  expect(await step(5)).toEqual({
    kind: 'verified',
    through: 5,
    sealCount: 0,
    lineCount: 0,
    misdatedCount: 0,
    altered: [],
    dropped: [],
    isEnd: true,
  });
  expect(summary(await step(6))).toEqual(['missing_seal', 6]);
  await change(`update audit_seal set last_id = 21 where number = 2`);
  expect(summary(await step(2))).toEqual(['forged', 2]);
});
