import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createSealKey, readSealKey, sealLines, withAudit } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { monthsPassed } from '@insurance-verification/store/testing/months-passed';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import pg from 'pg';
import { expect, test } from 'vitest';
import { iv, ivJson } from '../iv.ts';

const pem = createSealKey();
const { verifier } = readSealKey(pem);

/** A database of two months that passed, ten lines of the audit in each, and five of the present one. */
const audit = useInFile(async () => {
  const dataDir = aFolder();
  const { connectionString: url } = await createTestDatabase();
  writeFileSync(join(dataDir, 'audit-seal-key'), pem);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const months = await monthsPassed({ sql: (text) => client.query(text) }, 2);
  for (const { month, firstId } of months)
    await client.query(
      `insert into access_log (id, at, key_id, operation)
       select $1::bigint + n, $2, 'key_1', 'requests.get' from generate_series(0, 9) as n`,
      [firstId, `${month}-05T10:00:00Z`],
    );
  await client.query(`insert into access_log (operation) select 'requests.get' from generate_series(1, 5)`);
  await client.end();
  await seal(url);
  return {
    dataDir,
    url,
    month: months[0]?.month ?? '',
    next: months[1]?.month ?? '',
    stop: async () => undefined,
  };
});

const seal = (url: string) =>
  withAudit(url, async (store) => {
    while ((await sealLines(store, { key: readSealKey(pem), lineCountMax: 4 })).kind === 'sealed');
  });

/** With the key of the service, or without. */
const drop = (more: readonly string[] = [], month = audit().month, keyAt = audit().dataDir) =>
  iv(['audit', 'drop', month, ...more], { DATABASE_URL: audit().url, DATA_DIR: keyAt });

// Breaks if an operator would have to guess what a drop of the audit asks for.
test('what a drop of the audit asks for is said, and nothing goes before', async () => {
  const { month } = audit();
  const archived = `iv audit archive ${month} > audit-${month}.ndjson`;
  const preview = await drop();
  expect(preview.exitCode).toBe(0);
  expect(preview.stderr).toContain('Nothing is dropped yet. Lines 1 to 10, sealed as seals 1 to 3, go with');
  expect(preview.stderr).toContain(archived);
  const unnamed = await drop(['--yes']);
  expect(unnamed).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(archived) });
  const archive = join(aFolder(), 'audit.ndjson');
  const missing = await drop(['--yes', '--archive', archive]);
  expect(missing.stderr).toContain(`--archive: ${archive} cannot be read (ENOENT).`);
  writeFileSync(archive, 'another month\n');
  const keyless = await drop(['--yes', '--archive', archive], month, aFolder());
  expect(keyless).toMatchObject({ exitCode: 2, stdout: '' });
  expect(keyless.stderr).toContain('No key. The key that seals the audit signs that lines of it go');
  expect(keyless.stderr).toContain('AUDIT_SEAL_KEY_FILE');
  const wrong = await drop(['--yes', '--archive', archive]);
  expect(wrong).toMatchObject({ exitCode: 1, stdout: '' });
  expect(wrong.stderr).toContain(`The archive does not have the lines that the database has of ${month}.`);
  const twoLines = await drop(['--yes', '--archive', archive, '--by', 'two\nlines']);
  expect(twoLines).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected a name') });
  const early = await iv(['audit', 'archive', new Date().toISOString().slice(0, 7)], {
    DATABASE_URL: audit().url,
  });
  expect(early).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('is not over') });
});

// Breaks if an operator cannot see what months the audit has, or is not told why one stays.
test('the months are listed, and one that may not go is refused with the reason', async () => {
  const { url, month, next } = audit();
  const { items } = await ivJson<{ items: { month: string }[] }>(['audit', 'months'], { DATABASE_URL: url });
  const listed = items.map((item) => item.month);
  expect(listed).toEqual([month, next, ...listed.slice(2, -1), 'later']);
  expect(items[0]).toEqual({ month, line_count: expect.any(Number), byte_count: expect.any(Number) });
  const shown = await iv(['audit', 'months'], { DATABASE_URL: url });
  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^MONTH +LINES +SIZE\n/) });

  expect(await drop([], next)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`${month} is older`),
  });
  const unknown = await drop([], '2001-01');
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain(`The audit has no month 2001-01. It has ${month}, ${next}, `);
  const wrong = await drop([], 'november');
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('Expected a month as 2026-11; what came is november.');
});

test('a month is archived and dropped, and verification says so in words', async () => {
  const { url, month, next, dataDir } = audit();
  const archived = await iv(['audit', 'archive', month], { DATABASE_URL: url });
  expect(archived.exitCode).toBe(0);
  expect(archived.stdout.trimEnd().split('\n')).toHaveLength(10);
  const digest = /^10 lines of \S+, SHA-256 ([0-9a-f]{64})\.\n/.exec(archived.stderr)?.[1];
  const path = join(dataDir, 'audit.ndjson.gz');
  writeFileSync(path, gzipSync(archived.stdout));
  const dropped = await drop(['--yes', '--archive', path, '--by', 'Ann Lee']);
  const day = new Date().toISOString().slice(0, 10);
  const sentence = `Lines 1 to 10 (10 lines of ${month}) were dropped on ${day} by Ann Lee, sealed as seals 1 to 3. Their archive has the SHA-256 ${digest}.`;
  expect(dropped).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(sentence) });

  await seal(url);
  const verify = (...more: string[]) =>
    iv(['audit', 'verify', '--key', verifier.text, ...more], { DATABASE_URL: url });
  expect(await verify()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`${sentence}\n16 lines in 6 seals are as they were written.`),
    stderr: '',
  });
  const document = await ivJson<{ dropped: unknown[] }>(['audit', 'verify', '--key', verifier.text], {
    DATABASE_URL: url,
  });
  expect(document).toMatchObject({
    verified: true,
    line_count: 16,
    dropped: [{ drop: 1, month, line_count: 10 }],
  });

  // What goes without a record is tampering still.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter table access_log detach partition access_log_${next.replace('-', '_')}`);
  await client.end();
  const removed = await verify();
  expect(removed.exitCode).toBe(1);
  expect(removed.stderr).toContain('lines were removed');
  expect(removed.stderr).toContain(sentence);
});
