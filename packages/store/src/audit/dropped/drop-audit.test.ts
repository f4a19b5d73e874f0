import { hash } from 'node:crypto';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sealAll, sealKey, tamper, told, verdictOf } from '../../../test/ground/audit-seals.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import {
  archiveMonth,
  createSealKey,
  type DropSigning,
  dropMonth,
  readSealKey,
  verifySeals,
} from '../../index.ts';
import { type Month, startOf } from '../../partitions/month.ts';
import { partitionOf } from '../../partitions/monthly-tables.ts';
import { monthsPassed } from '../../testing/months-passed.ts';
import { dropText, readDropText } from '../note/drop-text.ts';
import { signNote } from '../note/signed-note.ts';
import { prepareAudit } from './prepare-audit.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, sql, connectionString } = await openTestStores();
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);
const NEVER = '0000-01';
let [first, second]: [Month, Month] = [NEVER, NEVER];

const keys = [sealKey.verifier];
const verify = () => verifySeals(store, { keys, after: 0 });

async function archiveOf(month: Month): Promise<string> {
  const archive = await archiveMonth(store, { month });
  let text = '';
  if (archive.kind === 'found') for await (const part of archive.parts) text += part;
  return text;
}

const signingOf = async (month: Month): Promise<DropSigning> => ({
  key: sealKey,
  archive: hash('sha256', await archiveOf(month)),
  by: 'ann@ops1',
});

/** Days after the months that passed. */
const now = Date.now() + 4 * 86_400_000;
const drop = async (month: Month, signing?: DropSigning) =>
  dropMonth(connectionString, {
    month,
    withAudit: true,
    dryRun: false,
    now,
    signing: signing ?? (await signingOf(month)),
  });

/**
 * Ninety lines, ten to a seal. The months overlap, as those of two transactions do: line 36 is of the second month
 * already, line 37 of the first still, and 66 and 67 alike. So seals 4 and 7 hold lines of two months.
 */
beforeAll(async () => {
  const [one = NEVER, two = NEVER] = await monthsPassed({ sql }, 2);
  [first, second] = [one, two];
  await sql(
    `insert into access_log (id, at, key_id, account_id, operation, request_id) overriding system value
     select n, case when n < 36 or n = 37 then $1::timestamptz when n < 66 or n = 67 then $2 else now() end
         + n * interval '1 microsecond', 'key_' || n, 'acct_1', 'requests.get', case when n % 3 > 0 then 'req_"ü' end
     from generate_series(1, 90) as n`,
    [new Date(startOf(first) + 86_400_000), new Date(startOf(second) + 86_400_000)],
  );
  await sql(`select setval('access_log_id', 90)`);
  await sealAll(store, 10);
}, 60_000);

// Breaks if lines could go of which nobody has a copy, or which would have shown that somebody changed them.
test('a month stays whose lines are not sealed, not archived as they are, or not as they were sealed', async () => {
  const signing = await signingOf(first);
  expect(await drop(first, { ...signing, archive: '0'.repeat(64) })).toEqual({ kind: 'other_archive' });
  const other = readSealKey(createSealKey());
  expect(await drop(first, { ...signing, key: other })).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'unknown_key' },
  });
  await change(`update access_log set key_id = 'key_9' where id = 12`);
  expect(await drop(first)).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'lines_changed', number: 2 },
  });
  await change(`update access_log set key_id = 'key_12' where id = 12`);
  const start = new Date(startOf(first) + 1).toISOString();
  await change(
    `insert into access_log (id, at, operation) overriding system value values (91, '${start}', 'x')`,
  );
  expect(await drop(first)).toEqual({ kind: 'unsealed', count: 1 });
  await change('delete from access_log where id = 91');
  await change(`alter table access_log detach partition ${partitionOf('access_log', first)}`);
  expect(await drop(first)).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'lines_removed', number: 1 },
  });
  const until = new Date(startOf(second)).toISOString();
  await change(
    `alter table access_log attach partition ${partitionOf('access_log', first)} for values from (minvalue) to ('${until}')`,
  );
  expect(await verdictOf(store)).toEqual([9, 90]);
});

test('an archive has every line with all that its seal is over, and is the same whenever it is written', async () => {
  const text = await archiveOf(first);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { audit_id: string });
  expect(lines).toHaveLength(36);
  expect(lines.at(-1)).toEqual({
    audit_id: '37',
    at: `${first}-02T00:00:00.000037Z`,
    key_id: 'key_37',
    account_id: 'acct_1',
    operation: 'requests.get',
    request_id: 'req_"ü',
    subject_id: null,
  });
  expect(await archiveOf(first)).toBe(text);
  expect(await archiveMonth(store, { month: first, now: startOf(second) - 1 })).toEqual({ kind: 'not_over' });
  expect(await archiveMonth(store, { month: '2001-01' })).toEqual({ kind: 'no_lines' });
});

test('a dry run tells which lines and seals a month takes, and asks for no key', async () => {
  const dry = await dropMonth(connectionString, { month: first, withAudit: true, dryRun: true, now });
  expect(dry).toMatchObject({
    kind: 'told',
    audit: { firstId: 1n, lastId: 37n, firstSeal: 1, lastSeal: 4, signed: null },
  });
});

// Without it whoever verifies while a month goes would be told that lines were removed.
test('lines that go while they are verified are taken for dropped', async () => {
  const prepared = await prepareAudit(store.db, { month: first, signing: await signingOf(first) });
  if (prepared.kind !== 'ready') expect.fail(prepared.kind);
  await prepared.sign();
  const [record] =
    await sql<Record<'number' | 'seal_number' | 'border' | 'note', unknown>>('select * from audit_drop');
  await change('truncate audit_drop', `delete from access_log where operation = 'audit.drop'`);

  const dropping = new pg.Client({ connectionString });
  await dropping.connect();
  onTestFinished(() => dropping.end());
  const part = partitionOf('access_log', first);
  await dropping.query('begin');
  await dropping.query('lock table access_log in access exclusive mode');
  const verdict = verify();
  const waiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%access_log%'`);
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  await dropping.query('insert into audit_drop values ($1, $2, $3, $4)', Object.values(record ?? {}));
  await dropping.query(`alter table access_log detach partition ${part}`);
  await dropping.query('commit');
  expect(await verdict).toMatchObject({ kind: 'verified', sealCount: 6, dropped: [{ number: 1 }] });
  await change(
    'truncate audit_drop',
    `alter table access_log attach partition ${part} for values from (minvalue) to ('${second}-01Z')`,
  );
});

// A process that dies between the two, or waits behind a vacuum.
test('a drop that broke off after it was signed is told, and ended by the next without an archive', async () => {
  const signing = await signingOf(first);
  const prepared = await prepareAudit(store.db, { month: first, signing });
  if (prepared.kind === 'ready') await prepared.sign();
  expect(await verify()).toMatchObject({
    kind: 'bad',
    range: { fault: 'lines_left', number: 1, sealedCount: 10, foundCount: 10 },
  });
  await change(
    'create table signed as select * from audit_drop',
    `update audit_drop set note = replace(note, 'ann@', 'bob@')`,
  );
  expect(await drop(first, signing)).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'drop_forged' },
  });
  await change('truncate audit_drop', 'insert into audit_drop select * from signed', 'drop table signed');
  const dropped = await drop(first, { ...signing, archive: '' });
  expect(dropped).toMatchObject({
    kind: 'dropped',
    audit: { lastId: 37n, signed: { statement: { number: 1, archive: signing.archive } } },
  });
});

// The point of it all: a month that was removed by name and one that was removed otherwise are told apart.
test('a dropped month is taken for what it is, with who, when and which seals', async () => {
  await sealAll(store);
  const verdict = await verify();
  expect(verdict).toMatchObject({ kind: 'verified', through: 10, sealCount: 7, lineCount: 55, isEnd: true });
  expect(verdict.dropped).toEqual([
    {
      origin: sealKey.verifier.name,
      number: 1,
      month: first,
      lineCount: 36,
      firstId: 1n,
      lastId: 37n,
      firstSeal: 1,
      lastSeal: 4,
      sealHash: expect.any(String),
      gone: { first: 1, last: 3 },
      borderHash: expect.any(String),
      archive: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.any(Date),
      by: 'ann@ops1',
    },
  ]);
  const step = await verifySeals(store, { keys, after: 5 });
  expect(step).toMatchObject({ kind: 'verified', sealCount: 5, dropped: [] });
  expect(await sql(`select operation from access_log where id > 90`)).toEqual([{ operation: 'audit.drop' }]);
});

describe('after a drop', () => {
  beforeAll(() =>
    change(
      'create table log_was as select * from access_log',
      'create table seal_was as select * from audit_seal',
      'create table drop_was as select * from audit_drop',
    ),
  );
  beforeEach(() =>
    change(
      'truncate access_log, audit_seal, audit_drop',
      'insert into access_log overriding system value select * from log_was',
      'insert into audit_seal select * from seal_was',
      'insert into audit_drop select * from drop_was',
    ),
  );

  // Of the lines 31 to 40, which seal 4 holds, 36 and 38 to 40 are there.
  test.each([
    [
      'a changed line beside dropped ones',
      'lines_changed',
      4,
      `update access_log set key_id = 'x' where id = 38`,
    ],
    ['a removed line beside dropped ones', 'lines_removed', 4, 'delete from access_log where id = 38'],
    ['a removed line of later', 'lines_removed', 6, 'delete from access_log where id = 55'],
    [
      'a month that was removed without a record',
      'lines_removed',
      5,
      'delete from access_log where id between 41 and 65',
    ],
    [
      'a dropped line that is there again',
      'lines_left',
      2,
      `insert into access_log (id, operation) overriding system value values (13, 'x')`,
    ],
    [
      'a dropped line that is there again beside others',
      'lines_left',
      4,
      `insert into access_log (id, operation) overriding system value values (33, 'x')`,
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
    [
      'a line more at the border',
      'drop_forged',
      1,
      `update audit_drop set border = border || int8send(38) || decode(repeat('00', 32), 'hex')`,
    ],
    ['a removed seal of dropped lines', 'missing_seal', 2, 'delete from audit_seal where number = 2'],
    [
      'a changed seal of dropped lines',
      'forged',
      2,
      `update audit_seal set note = replace(note, 'time 2', 'time 1') where number = 2`,
    ],
  ])('%s is found', async (_, fault, number, statement) => {
    await change(statement);
    expect(told(await verify())).toEqual([fault, number]);
  });

  const statementOf = async () => {
    const [row] = await sql<{ note: string }>('select note from drop_was');
    return readDropText((row?.note ?? '').replace(/\n— .*\n$/, '')) ?? expect.fail('no record');
  };
  const replace = (note: string) => change(`update audit_drop set note = '${note.replaceAll("'", "''")}'`);

  test('a record that another key signed is found', async () => {
    await replace(signNote(dropText(await statementOf()), readSealKey(createSealKey())));
    expect(told(await verify())).toEqual(['drop_unknown_key', 1]);
  });

  // Whoever has two services with one key cannot use the record of one in the other.
  test('a record of another log is found, though the same key signed it', async () => {
    const statement = await statementOf();
    await replace(signNote(dropText({ ...statement, sealHash: hash('sha256', 'x', 'binary') }), sealKey));
    expect(told(await verify())).toEqual(['drop_forged', 1]);
    await replace(signNote(dropText({ ...statement, origin: 'another/log' }), sealKey));
    expect(told(await verify())).toEqual(['drop_forged', 1]);
  });

  test('nothing goes behind a forged record', async () => {
    await change(`update audit_drop set note = replace(note, 'ann@', 'bob@')`);
    expect(await drop(second)).toMatchObject({ kind: 'not_as_sealed', range: { fault: 'drop_forged' } });
  });

  test.each([
    `update audit_drop set note = 'x'`,
    'delete from audit_drop where false',
    'truncate audit_drop',
  ])('%s is refused', async (statement) => {
    await expect(sql(statement)).rejects.toThrow('audit_drop is append-only');
  });
});

test('the next month goes after it, and each record stands for its own lines', async () => {
  await change(
    'truncate access_log, audit_seal, audit_drop',
    'insert into access_log overriding system value select * from log_was',
    'insert into audit_seal select * from seal_was',
    'insert into audit_drop select * from drop_was',
  );
  expect(await drop(second)).toMatchObject({ kind: 'dropped', audit: { firstSeal: 4, lastSeal: 7 } });
  await sealAll(store);
  const verdict = await verify();
  expect(verdict).toMatchObject({ kind: 'verified', through: 11, sealCount: 5, lineCount: 26 });
  expect(verdict.dropped).toMatchObject([
    { month: first, gone: { first: 1, last: 3 } },
    { month: second, gone: { first: 4, last: 6 }, lineCount: 30, firstId: 36n, lastId: 67n },
  ]);
  await change('delete from audit_drop where number = 1');
  expect(told(await verify())).toEqual(['lines_removed', 1]);
});

// Breaks if a month whose lines all lie in one seal with later ones could not go.
test('a record says which lines of one seal went when no seal goes whole', async () => {
  const key = sealKey;
  await change('truncate access_log, audit_seal, audit_drop', `select setval('access_log_id', 500)`);
  await sql(
    `insert into access_log (id, at, operation) overriding system value
     select n, case when n < 4 then $1::timestamptz else now() end, 'x' from generate_series(1, 6) as n`,
    [new Date(startOf(second))],
  );
  await sealAll(store);
  const prepared = await prepareAudit(store.db, {
    month: second,
    signing: { key, archive: hash('sha256', await archiveOf(second)), by: 'ann' },
  });
  if (prepared.kind !== 'ready') expect.fail(prepared.kind);
  await prepared.sign();
  expect(told(await verify())).toEqual(['lines_left', 1]);
  await change('delete from access_log where id < 4');
  const verdict = await verify();
  expect(verdict).toMatchObject({ kind: 'verified', lineCount: 3, dropped: [{ gone: null, lineCount: 3 }] });
});
