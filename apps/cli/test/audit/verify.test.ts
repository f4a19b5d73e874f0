import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSealKey,
  openSealFile,
  readSealKey,
  sealLines,
  withAudit,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import pg from 'pg';
import { expect, test } from 'vitest';
import { iv, ivJson } from '../iv.ts';

const pem = createSealKey();
const { verifier } = readSealKey(pem);
const other = readSealKey(createSealKey()).verifier;

const UNKNOWN =
  'Without a copy of the seals it cannot be known whether the last ones were removed or made again: give --seals.';

/** A database of 12 lines in two seals, copies of these, and their key. */
const audit = useInFile(async () => {
  const dataDir = aFolder();
  const { connectionString: url } = await createTestDatabase();
  const [seals, keyFile] = [join(dataDir, 'seals.jsonl'), join(dataDir, 'audit.pub')];
  writeFileSync(join(dataDir, 'audit-seal-key'), pem);
  writeFileSync(keyFile, `# of the service\n${verifier.text}\n`);
  await change(
    url,
    `insert into access_log (key_id, account_id, operation) select 'key_' || n, 'acct_1', 'requests.list' from generate_series(1, 12) as n`,
  );
  await withAudit(url, async (store) => {
    for (let count = 0; count < 2; count += 1)
      await sealLines(store, { key: readSealKey(pem), file: openSealFile(seals), lineCountMax: 6 });
    writeFileSync(seals, `{"msg":"another line of a log"}\n${readFileSync(seals, 'utf8')}{"seal":3,"no`);
  });
  return { dataDir, seals, keyFile, url, stop: async () => undefined };
});

async function change(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** What the tables' owner can do, past the triggers that refuse it. */
const tamper = (url: string, ...statements: readonly string[]) => {
  const turn = (word: string) =>
    ['access_log', 'audit_seal'].map((table) => `alter table ${table} ${word} trigger user`);
  return change(url, ...turn('disable'), ...statements, ...turn('enable'));
};

// Breaks if an auditor could not verify with what they are given: a database to read, and a public key.
test('an unchanged audit is verified by the public key, on this machine without naming it', async () => {
  const { dataDir, url, seals, keyFile } = audit();
  const were = '12 lines in 2 seals are as they were written.';
  const unknown = `${were} ${UNKNOWN}`;
  const [own, elsewhere] = await Promise.all([
    iv(['audit', 'verify'], { DATA_DIR: dataDir, DATABASE_URL: url }),
    iv(['audit', 'verify', '--key', other.text, '--key', verifier.text, '--seals', seals], {
      DATABASE_URL: url,
    }),
  ]);
  expect(own).toEqual({ exitCode: 0, stdout: `${unknown}\n`, stderr: '' });
  expect(elsewhere).toEqual({
    exitCode: 0,
    stdout: `${were} The database has the 2 seals of the copy.\n`,
    stderr: '',
  });
  const byFile = await ivJson(['audit', 'verify', '--key-file', keyFile], { DATABASE_URL: url });
  expect(byFile).toEqual({
    verified: true,
    seal_count: 2,
    line_count: 12,
    misdated_count: 0,
    dropped: [],
    bad_range: null,
    bad_tables: [],
    missing_holds: [],
    altered_when_sealed: [],
    unsealed: { line_count: 0, oldest_seconds: 0 },
    copies: null,
  });
  const printed = await iv(['audit', 'key'], { AUDIT_SEAL_KEY_FILE: join(dataDir, 'audit-seal-key') });
  expect(printed).toEqual({ exitCode: 0, stdout: `${verifier.text}\n`, stderr: '' });
});

// Breaks if the audit could not be verified any more once its oldest month was removed by name.
test('what follows a seal is verified without the lines before it', async () => {
  const { url } = audit();
  const verify = (after: string) =>
    iv(['audit', 'verify', '--key', verifier.text, '--after', after], { DATABASE_URL: url });
  expect(await verify('1')).toMatchObject({
    exitCode: 0,
    stdout: `6 lines in 1 seal are as they were written. ${UNKNOWN}\n`,
  });
  expect(await verify('9')).toMatchObject({ exitCode: 1, stdout: '' });
});

test.each([
  [['audit', 'verify', '--key', 'nonsense'], '--key: expected a verifier key'],
  [['audit', 'verify'], 'No key. Expected'],
  [['audit', 'verify', '--after', 'x'], 'Expected the number of a seal.'],
  [['audit', 'verify', '--key-file', '/nowhere'], '/nowhere cannot be read (ENOENT).'],
])('%j is wrong usage', async (args, sentence) => {
  const run = await iv(args, { DATABASE_URL: audit().url, DATA_DIR: aFolder() });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

// Without it a verification on the service's own machine would leave out what only its file shows.
test('the copy of the service is found where the service has it', async () => {
  const { url, seals, dataDir } = audit();
  const verify = async (env: Record<string, string>) =>
    (await iv(['audit', 'verify', '--key', verifier.text], { DATABASE_URL: url, ...env })).stdout;
  expect(await verify({ AUDIT_SEAL_FILE: seals })).toContain('The database has the 2 seals of the copy.');
  writeFileSync(join(dataDir, 'audit-seals.jsonl'), readFileSync(seals));
  expect(await verify({ DATA_DIR: dataDir })).toContain('The database has the 2 seals of the copy.');
});

// Broke: an audit that was no longer sealed was verified like any other, with what came after its last seal.
test('lines that wait for a seal are counted, and reported with 3 when they have waited too long', async () => {
  const { url } = audit();
  const verify = () => iv(['audit', 'verify', '--key', verifier.text], { DATABASE_URL: url });
  await change(url, `insert into access_log (operation) values ('requests.get')`);
  expect(await verify()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/ 1 line waits for a seal, the oldest since \d+ s\.\n$/),
  });
  await change(
    url,
    `insert into access_log (at, operation) values (now() - interval '125 seconds', 'requests.get')`,
  );
  expect(await verify()).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining('12 lines in 2 seals are as they were written.'),
    stderr: expect.stringMatching(
      /^2 lines wait for a seal, the oldest since 12\d s\. Nothing shows whether/,
    ),
  });
  await tamper(url, 'delete from access_log where id > 12');
});

// Without it a view in the place of a table, or a trigger that is off, would hide what was changed.
test('a table that is not as the schema makes it is reported before anything else', async () => {
  const { url } = audit();
  const verify = () => iv(['audit', 'verify', '--key', verifier.text], { DATABASE_URL: url });
  await change(url, 'alter table audit_seal disable trigger user');
  expect(await verify()).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: 'The table audit_seal does not refuse changes: its trigger is off, gone or another.\n',
  });
  await change(url, 'alter table audit_seal enable trigger user');
});

// The last test: it changes what the others read.
test('the first altered range is named, and what was cut off only by the copy', async () => {
  const { url, seals, dataDir } = audit();
  const resumed = join(dataDir, 'resumed.jsonl');
  writeFileSync(resumed, `${readFileSync(seals, 'utf8')}\n`);
  const verify = (...more: string[]) =>
    iv(['audit', 'verify', '--key', verifier.text, ...more], { DATABASE_URL: url });
  const cut = [
    'create table kept as select * from audit_seal where number = 2',
    'create table lines as select * from access_log where id > 6',
    'delete from audit_seal where number = 2',
    'delete from access_log where id > 6',
  ];
  await tamper(url, ...cut);
  expect(await verify()).toMatchObject({
    exitCode: 0,
    stdout: `6 lines in 1 seal are as they were written. ${UNKNOWN}\n`,
  });
  expect(await verify('--seals', seals)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'Seal 2 of the copy is not in the database: the newest lines were cut off',
    ),
  });
  const resume = (...more: string[]) =>
    iv(['audit', 'resume', '--by', 'ann@ops1', ...more], {
      DATABASE_URL: url,
      AUDIT_SEAL_FILE: resumed,
      AUDIT_SEAL_KEY: pem,
    });
  expect(await resume('--reason', 'two\nlines')).toMatchObject({ exitCode: 2 });
  expect(await resume('--reason', 'restored the backup')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^Sealing was resumed after seal 1 on \S+ by ann@ops1: restored the backup\. Seals 2 to 2 of the file are given up with their lines\.\n$/,
    ),
  });
  expect(await resume('--reason', 'again')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is nothing to resume'),
  });
  expect(await verify('--seals', resumed)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('after seal 1'),
  });
  await tamper(
    url,
    'insert into audit_seal select * from kept',
    `delete from access_log where operation = 'audit.resume'`,
    'insert into access_log overriding system value select * from lines',
    `update access_log set key_id = 'key_x' where id = 9`,
  );
  expect(await verify()).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'Seal 2: of the lines 7 to 12, at least one is not as it was written.\nBefore it 6 lines in 1 seal are as they were written.\n',
  });
  const after = await iv(['audit', 'verify', '--key', verifier.text, '--after', '1'], { DATABASE_URL: url });
  expect(after.stderr).toContain('Seal 2: of the lines 7 to 12, at least one');
  await tamper(url, 'delete from access_log where id = 9');
  const found = await iv(['audit', 'verify', '--key', verifier.text, '--json'], { DATABASE_URL: url });
  expect(found.exitCode).toBe(1);
  expect(JSON.parse(found.stdout)).toEqual({
    verified: false,
    seal_count: 1,
    line_count: 6,
    misdated_count: 0,
    dropped: [],
    bad_range: {
      fault: 'lines_removed',
      seal: 2,
      first_id: '7',
      last_id: '12',
      sealed_count: 6,
      found_count: 5,
    },
    bad_tables: [],
    missing_holds: [],
    altered_when_sealed: [],
    unsealed: { line_count: 0, oldest_seconds: 0 },
    copies: null,
  });
});
