import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { archiveOf, dropOf, ninetyLines, signingOf } from '../../test/ground/audit-drops.ts';
import { encryptAll, sealKey, tamper, verdictOf } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { archiveMonth, createSealKey, dropMonth, readSealKey, verifySeals } from '../index.ts';
import { monthAt, partOf } from '../months/log-parts.ts';
import { prepareDrop } from './prepare-drop.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);
const { first, inSecond } = await ninetyLines(stores);

const keys = [sealKey.verifier];
const verify = () => verifySeals(store, { keys, after: 0 });
const drop = dropOf(stores);

// Breaks if a month could not go without lines that stay.
test('a seal has lines of only one month', async () => {
  const seals = await sql<{ last_id: string }>('select last_id from audit_seal order by number');
  const ends = [10n, 20n, 30n, 37n, inSecond(10), inSecond(20), inSecond(30)];
  expect(seals.map((seal) => BigInt(seal.last_id)).slice(0, 7)).toEqual(ends);
  expect(await verdictOf(store)).toEqual([10, 90]);
});

// Breaks if lines could go of which nobody has a copy, or which would have shown that somebody changed them.
test('a month stays whose lines are not archived as they are, or not as they were sealed', async () => {
  const signing = await signingOf(store, first);
  expect(await drop(first, { ...signing, archive: '0'.repeat(64) })).toEqual({ kind: 'other_archive' });
  const other = readSealKey(createSealKey());
  expect(await drop(first, { ...signing, key: other })).toMatchObject({
    kind: 'not_as_sealed',
    range: { fault: 'unknown_key' },
  });
  for (const [statement, fault, number, back] of [
    [
      `update access_log set key_id = 'key_9' where id = 12`,
      'lines_changed',
      2,
      `update access_log set key_id = 'key_12' where id = 12`,
    ],
    [
      `insert into access_log (id, operation) values (38, 'x')`,
      'lines_added',
      5,
      'delete from access_log where id = 38',
    ],
    [
      `insert into access_log (id, operation) values (-38, 'x')`,
      'lines_added',
      1,
      'delete from access_log where id = -38',
    ],
    [
      `alter table access_log detach partition ${partOf(first)}`,
      'lines_removed',
      1,
      `alter table access_log attach partition ${partOf(first)} for values from (minvalue) to (${inSecond(1)})`,
    ],
  ] as const) {
    await change(statement);
    expect(await drop(first), statement).toMatchObject({ kind: 'not_as_sealed', range: { fault, number } });
    await change(back);
  }
  expect(await verdictOf(store)).toEqual([10, 90]);
});

test('an archive has every line with all that its seal is over, and is the same whenever it is written', async () => {
  const text = await archiveOf(store, first);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { audit_id: string });
  expect(lines).toHaveLength(37);
  expect(lines.at(-1)).toEqual({
    audit_id: '37',
    at: `${first}-02T00:00:00.000037Z`,
    key_id: 'key_37',
    account_id: 'acct_1',
    operation: 'requests.get',
    request_id: 'req_"ü',
    subject_id: null,
    actor_name: null,
    session_id: null,
    address: null,
    emergency: false,
    outcome: 'done',
    details: null,
    request_ids: null,
    request_account_ids: null,
  });
  expect(await archiveOf(store, first)).toBe(text);
  expect(await archiveMonth(store, { month: monthAt(Date.now()) })).toEqual({ kind: 'not_over' });
  expect(await archiveMonth(store, { month: '2001-01' })).toEqual({ kind: 'unknown_month' });
});

test('without a key it returns which lines and seals a month takes, and nothing goes', async () => {
  expect(await dropMonth(connectionString, { month: first })).toMatchObject({
    kind: 'previewed',
    lines: { firstId: 1n, lastId: 37n, firstSeal: 1, lastSeal: 4, signed: null },
  });
  expect(await verdictOf(store)).toEqual([10, 90]);
});

/** Signs that the first month goes, and leaves it there. */
async function sign(): Promise<void> {
  const prepared = await prepareDrop(store.db, { month: first, signing: await signingOf(store, first) });
  if (prepared.kind !== 'ready') expect.fail(prepared.kind);
  await prepared.sign();
}

// Without it whoever verifies while a month goes would be told that lines were removed.
test('lines that go while they are verified are taken for dropped', async () => {
  await sign();
  const [record] = await sql<Record<'number' | 'seal_number' | 'note', unknown>>('select * from audit_drop');
  await change('truncate audit_drop', `delete from access_log where operation = 'audit.drop'`);

  const dropping = new pg.Client({ connectionString });
  await dropping.connect();
  onTestFinished(() => dropping.end());
  await dropping.query('begin');
  await dropping.query('lock table access_log in access exclusive mode');
  const verdict = verify();
  const waiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%access_log%'`);
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  await dropping.query('insert into audit_drop values ($1, $2, $3)', Object.values(record ?? {}));
  await dropping.query(`alter table access_log detach partition ${partOf(first)}`);
  await dropping.query('commit');
  expect(await verdict).toMatchObject({ kind: 'verified', sealCount: 6, dropped: [{ number: 1 }] });
  await change(
    'truncate audit_drop',
    `alter table access_log attach partition ${partOf(first)} for values from (minvalue) to (${inSecond(1)})`,
  );
});

// A process that dies between the two, or waits behind a vacuum.
test('a drop that broke off after it was signed is reported, and ended by the next without an archive', async () => {
  const signing = await signingOf(store, first);
  await sign();
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
    lines: { lastId: 37n, signed: { statement: { number: 1, archive: signing.archive } } },
  });
});

// The point of it all: a month that was removed by name and one that was removed otherwise are distinguished.
test('a dropped month is taken for what it is, with who, when and which seals', async () => {
  await encryptAll(store);
  const verdict = await verify();
  expect(verdict).toMatchObject({ kind: 'verified', through: 11, sealCount: 7, lineCount: 54, isEnd: true });
  expect(verdict.dropped).toEqual([
    {
      origin: sealKey.verifier.name,
      number: 1,
      month: first,
      lineCount: 37,
      firstId: 1n,
      lastId: 37n,
      firstSeal: 1,
      lastSeal: 4,
      sealHash: expect.any(String),
      archive: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.any(Date),
      by: 'ann@ops1',
    },
  ]);
  const step = await verifySeals(store, { keys, after: 5 });
  expect(step).toMatchObject({ kind: 'verified', sealCount: 6, dropped: [] });
  expect(await sql(`select operation from access_log order by id desc limit 1`)).toEqual([
    { operation: 'audit.drop' },
  ]);
});
