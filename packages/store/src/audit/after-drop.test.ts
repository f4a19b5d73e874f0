import { hash } from 'node:crypto';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dropOf, ninetyLines } from '../../test/ground/audit-drops.ts';
import { encryptAll, sealKey, summary, tamper } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { createSealKey, readSealKey, verifySeals } from '../index.ts';
import { dropText, readDropText, signNote } from './note-text.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);
const verify = () => verifySeals(store, { keys: [sealKey.verifier], after: 0 });
const { first, second, inSecond } = await ninetyLines(stores);
const drop = dropOf(stores);
await drop(first);

beforeAll(async () => {
  await encryptAll(store);
  await change(
    'create table log_was as select * from access_log',
    'create table seal_was as select * from audit_seal',
    'create table drop_was as select * from audit_drop',
  );
});
beforeEach(() =>
  change(
    'truncate access_log, audit_seal, audit_drop',
    'insert into access_log select * from log_was',
    'insert into audit_seal select * from seal_was',
    'insert into audit_drop select * from drop_was',
  ),
);

test.each([
  [
    'a changed line behind the dropped ones',
    'lines_changed',
    5,
    `update access_log set key_id = 'x' where id = ${inSecond(1)}`,
  ],
  ['a removed line of later', 'lines_removed', 6, `delete from access_log where id = ${inSecond(15)}`],
  [
    'a month that was removed without a record',
    'lines_removed',
    5,
    `delete from access_log where id between ${inSecond(1)} and ${inSecond(30)}`,
  ],
  [
    'a dropped line that is there again',
    'lines_left',
    2,
    `insert into access_log (id, operation) values (13, 'x')`,
  ],
  [
    'the last dropped line that is there again',
    'lines_left',
    4,
    `insert into access_log (id, operation) values (37, 'x')`,
  ],
  [
    'a line before the dropped ones',
    'lines_left',
    1,
    `insert into access_log (id, operation) values (-5, 'x')`,
  ],
  [
    'a line behind the dropped ones',
    'lines_added',
    5,
    `insert into access_log (id, operation) values (38, 'x')`,
  ],
  ['a removed record', 'lines_removed', 1, 'delete from audit_drop'],
  [
    'a record with another name',
    'drop_forged',
    1,
    `update audit_drop set note = replace(note, 'ann@', 'bob@')`,
  ],
  ['a record that is none', 'drop_forged', 1, `update audit_drop set note = ''`],
  ['a renumbered record', 'drop_forged', 1, 'update audit_drop set number = 2'],
  ['a removed seal of dropped lines', 'missing_seal', 2, 'delete from audit_seal where number = 2'],
  [
    'a changed seal of dropped lines',
    'forged',
    2,
    `update audit_seal set note = replace(note, 'time 2', 'time 1') where number = 2`,
  ],
])('%s is found', async (_, fault, number, statement) => {
  await change(statement);
  expect(summary(await verify())).toEqual([fault, number]);
});

const statementOf = async () => {
  const [row] = await sql<{ note: string }>('select note from drop_was');
  return readDropText((row?.note ?? '').replace(/\n— .*\n$/, '')) ?? expect.fail('no record');
};
const replace = (note: string) => change(`update audit_drop set note = '${note.replaceAll("'", "''")}'`);

test('a record that another key signed is found', async () => {
  await replace(signNote(dropText(await statementOf()), readSealKey(createSealKey())));
  expect(summary(await verify())).toEqual(['drop_unknown_key', 1]);
});

// Whoever has two services with one key cannot use the record of one in the other.
test('a record of another log is found, though the same key signed it', async () => {
  const statement = await statementOf();
  await replace(signNote(dropText({ ...statement, sealHash: hash('sha256', 'x', 'binary') }), sealKey));
  expect(summary(await verify())).toEqual(['drop_forged', 1]);
  await replace(signNote(dropText({ ...statement, origin: 'another/log' }), sealKey));
  expect(summary(await verify())).toEqual(['drop_forged', 1]);
});

test('nothing is dropped after a forged record', async () => {
  await change(`update audit_drop set note = replace(note, 'ann@', 'bob@')`);
  expect(await drop(second)).toMatchObject({ kind: 'not_as_sealed', range: { fault: 'drop_forged' } });
});

// Without it a line that somebody put back would go with the part that takes older ids.
test('nothing goes while a dropped line is there again', async () => {
  await change(`insert into access_log (id, operation) values (13, 'x')`);
  expect(await drop(second)).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'lines_left', number: 2, foundCount: 1 },
  });
});

test.each([`update audit_drop set note = 'x'`, 'delete from audit_drop where false', 'truncate audit_drop'])(
  '%s is refused',
  async (statement) => {
    await expect(sql(statement)).rejects.toThrow('audit_drop is append-only');
  },
);

test('the next month goes after it, and each record is for its own lines', async () => {
  expect(await drop(second)).toMatchObject({ kind: 'dropped', lines: { firstSeal: 5, lastSeal: 7 } });
  await encryptAll(store);
  const verdict = await verify();
  expect(verdict).toMatchObject({ kind: 'verified', through: 12, sealCount: 5, lineCount: 25 });
  expect(verdict.dropped).toMatchObject([
    { month: first, firstSeal: 1, lastSeal: 4 },
    { month: second, firstSeal: 5, lastSeal: 7, lineCount: 30, firstId: inSecond(1), lastId: inSecond(30) },
  ]);
  await change('delete from audit_drop where number = 1');
  expect(summary(await verify())).toEqual(['lines_removed', 1]);
});
