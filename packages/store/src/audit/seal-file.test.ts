import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { sealKey, tamper, verdictOf } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { createSealKey, openSealFile, readSealKey, resumeSealing, sealLines } from '../index.ts';

const { store, sql, connectionString } = await openTestStores();
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);

const write = () => sql(`insert into access_log (key_id, operation) values ('key_1', 'requests.get')`);

function aFile(path = join(aFolder(), 'seals.jsonl')) {
  const file = openSealFile(path);
  return {
    path,
    file,
    lines: () => readFileSync(path, 'utf8').trimEnd().split('\n'),
    numbers: () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seal?: number }).seal),
    /** A line, its seal, and the copy of that. */
    aSeal: async () => {
      await write();
      const sealed = await sealLines(store, { key: sealKey, file });
      return sealed.kind === 'sealed' ? sealed.seal : sealed;
    },
  };
}

/** A database of so many seals, and a file that has them. */
async function aPast(count: number) {
  await change('truncate access_log, audit_seal, audit_drop');
  const kept = aFile();
  for (let index = 0; index < count; index += 1) await kept.aSeal();
  return kept;
}

// Broke: with the service's own role somebody removed the seals and changed the lines, and thirteen seconds later the
// service had signed the changed past, which verification found in order.
test.each([
  ['all seals removed, with an old line changed', 'delete from audit_seal', 'absent', 1],
  ['the two newest removed', 'delete from audit_seal where number > 2', 'absent', 3],
  [
    'the newest made another',
    `update audit_seal set note = replace(note, 'time 2', 'time 1') where number = 4`,
    'differs',
    4,
  ],
  ['one in the middle removed', 'delete from audit_seal where number = 3', 'absent', 3],
])('%s: nothing is signed', async (_, statement, fault, number) => {
  const { aSeal, numbers } = await aPast(4);
  await change(
    statement,
    `update access_log set key_id = 'key_9' where id = (select min(id) from access_log)`,
  );
  const before = await sql('select * from audit_seal order by number');
  expect(await aSeal()).toEqual({ kind: 'differs', fault, of: 'seal', number });
  expect(await sql('select * from audit_seal order by number')).toEqual(before);
  expect(numbers()).toEqual([1, 2, 3, 4]);
});

// The row of the newest seal says where the next begins: with another it would leave lines out.
test('a newest seal whose row says more than its note is not gone on from', async () => {
  const { aSeal } = await aPast(2);
  await write();
  await change('update audit_seal set last_id = last_id + 1 where number = 2');
  expect(await aSeal()).toEqual({ kind: 'damaged', number: 2 });
});

// Without it the file of another machine would stop the sealing, or have gaps.
test('what another process sealed is checked and added', async () => {
  const { aSeal } = await aPast(3);
  const other = aFile();
  await other.aSeal();
  await aSeal();
  await other.aSeal();
  expect(other.numbers()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a seal that the file lacks and no key signed is not gone on from', async () => {
  const { aSeal, numbers } = await aPast(2);
  await sealLines(store, { key: readSealKey(createSealKey()) });
  await write();
  await sealLines(store, { key: readSealKey(createSealKey()) });
  expect(await aSeal()).toEqual({ kind: 'differs', fault: 'unknown_key', of: 'seal', number: 3 });
  expect(numbers()).toEqual([1, 2]);
});

// Without it a removed record of dropped lines would leave no trace outside of the database.
test('the record of dropped lines is in the file before the seal that follows it, once', async () => {
  const { aSeal, lines } = await aPast(1);
  await sql(`insert into audit_drop values (1, 1, (select note from audit_seal where number = 1))`);
  await aSeal();
  await aSeal();
  expect(lines().map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual([
    'seal',
    'drop',
    'seal',
    'seal',
  ]);
  await change('truncate audit_drop');
  expect(await aSeal()).toEqual({ kind: 'differs', fault: 'absent', of: 'drop', number: 1 });
});

// A full disk takes half a line, and so does a machine that loses power.
test('half a line at the end is left, and its seal written again', async () => {
  const { aSeal, lines, path } = await aPast(3);
  const whole = lines();
  writeFileSync(path, `${whole.slice(0, 2).join('\n')}\n${whole[2]?.slice(0, 50)}`);
  await aSeal();
  expect(lines().slice(2, 4)).toEqual([whole[2]?.slice(0, 50), whole[2]]);
});

// Breaks if the memory could be lost without anybody's learning it: what is unsealed alarms after two minutes.
test('without its folder, or with an end that cannot be read, nothing is sealed', async () => {
  await aPast(1);
  const folder = join(aFolder(), 'gone');
  const lost = aFile(join(folder, 'seals.jsonl'));
  await expect(lost.aSeal()).rejects.toThrow('ENOENT');
  mkdirSync(folder);
  await lost.aSeal();
  expect(lost.numbers()).toEqual([1, 2]);
  appendFileSync(lost.path, `${'x'.repeat(40_000)}\n`);
  expect(await lost.aSeal()).toEqual({ kind: 'differs', fault: 'unreadable', of: 'seal', number: null });
});

// Breaks if a restored backup were sealed upon as if nothing had been lost, or could never be sealed again.
test('after a restore sealing waits until it is resumed, and then continues in the same file', async () => {
  const { aSeal, file, lines } = await aPast(5);
  await change(
    'delete from audit_seal where number > 3',
    'delete from access_log where id > (select last_id from audit_seal where number = 3)',
  );
  expect(await aSeal()).toMatchObject({ kind: 'differs', fault: 'absent' });
  const resuming = { key: sealKey, file, by: 'ann@ops1', reason: 'restored the backup of the night' };
  expect(await resumeSealing(store, resuming)).toMatchObject({
    kind: 'resumed',
    statement: { number: 3, givenUp: 5, by: 'ann@ops1', reason: 'restored the backup of the night' },
  });
  expect(await resumeSealing(store, resuming)).toEqual({ kind: 'same' });
  expect(await aSeal()).toMatchObject({ number: 4 });
  expect(await aSeal()).toMatchObject({ number: 5 });
  expect(lines().map((line) => Object.entries(JSON.parse(line) as object)[0])).toEqual([
    ['seal', 1],
    ['seal', 2],
    ['seal', 3],
    ['seal', 4],
    ['seal', 5],
    ['resume', 3],
    ['seal', 4],
    ['seal', 5],
  ]);
  expect(await sql(`select from access_log where operation = 'audit.resume'`)).toHaveLength(1);
  expect((await verdictOf(store))[0]).toBe(5);
  // The record itself gives nothing away: what was sealed since stands like any other.
  await change('delete from audit_seal where number > 3');
  expect(await aSeal()).toMatchObject({ kind: 'differs', fault: 'absent' });
});

test('a record of resuming that no key signed counts for nothing', async () => {
  const { aSeal, path } = await aPast(3);
  await change('delete from audit_seal where number > 1');
  appendFileSync(path, `${JSON.stringify({ resume: 1, note: 'log\nresume 1\n\n— log AAAA\n' })}\n`);
  expect(await aSeal()).toMatchObject({ kind: 'differs', of: 'resume' });
});
