import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sealKey, tamper, verdictOf } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { openSealFile, resumeSealing, sealLines, type SealMemory } from '../index.ts';
import { LOCKS } from '../locks.ts';
import type { SealFile } from './seal-file.ts';

const { store, rival, sql, connectionString } = await openTestStores();
const change = (...statements: readonly string[]) => tamper(connectionString, ...statements);
const write = () => sql(`insert into access_log (key_id, operation) values ('key_1', 'requests.get')`);
const CHANGE_LAST_LINE = `update access_log set key_id = 'key_9' where id = (select max(id) from access_log)`;

let path: string;
let file: SealFile;
beforeEach(async () => {
  await change('truncate access_log, audit_seal, audit_drop');
  path = join(aFolder(), 'seals.jsonl');
  file = openSealFile(path);
  await write();
});
afterEach(() => sql('drop function if exists fail_commit cascade'));

const kept = () =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seal?: number }).seal);

/** Lets every commit of a seal fail, after its transaction did all that it does. */
const failCommits = () =>
  sql(`
    create function fail_commit() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create constraint trigger fail_commit after insert on audit_seal deferrable initially deferred
      for each row execute function fail_commit()`);

async function aSession(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

// Broke: the copy was "busy", so the file did not have seal 2; that was removed, its lines changed, and they were signed
// as seal 2 once more, which verification found in order.
test('a process that queues for the lock while a seal is made finds it in the file already', async () => {
  const seal = () => sealLines(store, { key: sealKey, file });
  await seal();
  await write();
  const [holder, queued] = [await aSession(), await aSession()];
  await holder.query('begin; lock table audit_seal in exclusive mode');
  const sealing = seal();
  await until('the seal waits to be written', async () => {
    const waiting = await sql(
      `select from pg_locks where relation = 'audit_seal'::regclass and mode = 'RowExclusiveLock' and not granted`,
    );
    return waiting.length > 0;
  });
  const mine = queued.query(`select pg_advisory_lock(${LOCKS.sealing})`);
  await holder.query('rollback');
  expect(await sealing).toMatchObject({ kind: 'sealed', seal: { number: 2 } });
  await mine;
  expect(kept()).toEqual([1, 2]);
  await change('delete from audit_seal where number = 2', CHANGE_LAST_LINE);
  await queued.query('select pg_advisory_unlock_all()');
  expect(await seal()).toEqual({ kind: 'differs', fault: 'absent', of: 'seal', number: 2 });
  expect(await sql('select from audit_seal')).toHaveLength(1);
});

test('while the line of a seal is written to the file, no other process seals', async () => {
  const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: SealFile = {
    ...file,
    append: async (notes) => {
      entered.resolve();
      await left.promise;
      await file.append(notes);
    },
  };
  const sealing = sealLines(store, { key: sealKey, file: slow });
  await entered.promise;
  expect(await sealLines(rival, { key: sealKey, file })).toMatchObject({ kind: 'busy' });
  expect(await sql('select from audit_seal')).toEqual([]);
  left.resolve();
  expect((await sealing).kind).toBe('sealed');
  expect(await sealLines(rival, { key: sealKey, file })).toEqual({ kind: 'none' });
  expect(kept()).toEqual([1]);
});

// Without it a server that ends in the middle of a commit would leave a file that is ahead, and stop the seals.
test('a seal whose commit failed is written as it was signed, with what came since in the next', async () => {
  await failCommits();
  const seal = (of = store) => sealLines(of, { key: sealKey, file });
  await expect(seal()).rejects.toThrow('no');
  expect(kept()).toEqual([1]);
  await expect(seal()).rejects.toThrow('no');
  expect(kept()).toEqual([1]);
  await sql('drop function fail_commit cascade');
  await write();
  const note = (JSON.parse(readFileSync(path, 'utf8')) as { note: string }).note;
  expect(await seal(rival)).toMatchObject({
    kind: 'sealed',
    caughtUp: false,
    seal: { number: 1, lineCount: 1, note },
  });
  expect(await seal()).toMatchObject({ kind: 'sealed', caughtUp: true, seal: { number: 2, lineCount: 1 } });
  expect(kept()).toEqual([1, 2]);
  expect(await verdictOf(store)).toEqual([2, 2]);
});

test('a seal whose commit failed is not written over other lines', async () => {
  await failCommits();
  const seal = () => sealLines(store, { key: sealKey, file });
  await expect(seal()).rejects.toThrow('no');
  await sql('drop function fail_commit cascade');
  await change(CHANGE_LAST_LINE);
  expect(await seal()).toEqual({ kind: 'differs', fault: 'absent', of: 'seal', number: 1 });
});

// Without a file, or where it was taken away, the process itself remembers.
test.each([
  [
    'the last seal removed',
    'absent',
    () => change('delete from audit_seal where number = 2', CHANGE_LAST_LINE),
  ],
  [
    'another seal of that number, which the service signed too',
    'differs',
    async () => {
      await change('delete from audit_seal where number = 2', CHANGE_LAST_LINE);
      await sealLines(rival, { key: sealKey });
    },
  ],
] as const)('%s: a process that signed it signs nothing more', async (_, fault, meddle) => {
  const memory: SealMemory = { last: null };
  const seal = () => sealLines(store, { key: sealKey, memory });
  await seal();
  await write();
  await seal();
  await meddle();
  await write();
  expect(await seal()).toEqual({ kind: 'differs', fault, of: 'seal', number: 2 });
});

test('a process that remembers what it signed continues with what others sealed, and writes again what failed', async () => {
  const memory: SealMemory = { last: null };
  const seal = () => sealLines(store, { key: sealKey, memory });
  await failCommits();
  await expect(seal()).rejects.toThrow('no');
  await sql('drop function fail_commit cascade');
  const signed = memory.last?.note;
  await write();
  expect(await seal()).toMatchObject({ kind: 'sealed', seal: { number: 1, lineCount: 1, note: signed } });
  expect(await sealLines(rival, { key: sealKey })).toMatchObject({ kind: 'sealed', seal: { number: 2 } });
  await write();
  expect(await seal()).toMatchObject({ kind: 'sealed', seal: { number: 3 } });
  expect(await verdictOf(store)).toEqual([3, 3]);
});

test('what a resumption gives up is forgotten', async () => {
  const memory: SealMemory = { last: null };
  const seal = () => sealLines(store, { key: sealKey, file, memory });
  await seal();
  await write();
  await seal();
  await change('delete from audit_seal where number = 2', CHANGE_LAST_LINE);
  expect(await seal()).toMatchObject({ kind: 'differs', fault: 'absent' });
  await resumeSealing(store, { key: sealKey, file, by: 'ann@ops1', reason: 'a test' });
  expect(await seal()).toMatchObject({ kind: 'sealed', seal: { number: 2 } });
  expect(await verdictOf(store)).toEqual([2, 3]);
});
