import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, startEmbeddedServer } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, onTestFinished, test } from 'vitest';
import { iv, ivJson } from './iv.ts';

/** An empty database. */
async function anEmptyDatabase(): Promise<string> {
  const dataDir = aFolder();
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  return server.connectionString;
}

// Breaks if a database cannot be migrated, and a first key created, before any service runs.
test('migrate brings an empty database to its tables, and keys first makes its key, each once', async () => {
  const databaseUrl = await anEmptyDatabase();
  const tooEarly = await iv(['keys', 'first'], { DATABASE_URL: databaseUrl, ENCRYPTION_KEY });
  expect(tooEarly).toMatchObject({ exitCode: 1, stdout: '' });
  expect(tooEarly.stderr).toContain('Expected a database that `iv migrate` was run on');

  const first = await iv(['migrate'], {
    DATABASE_URL: 'postgres://pooler.invalid/x',
    DATABASE_DIRECT_URL: databaseUrl,
  });
  expect(first).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^schema \w+\n/),
    stderr: expect.stringMatching(/^Applied: \d+\.\n$/),
  });
  const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY };
  expect(await iv(['migrate'], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Up to date; nothing to do.\n',
  });
  expect(await ivJson(['migrate'], env)).toEqual({ applied: [], made_tables: [] });

  const made = await iv(['keys', 'first'], env);
  expect(made).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^key {7}ivk_live_\S+\ntest key {2}ivk_test_\S+\n$/),
  });
  const again = await iv(['keys', 'first', '--json'], env);
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toMatch(/^The first key was made before, .*\nIf it is lost: iv keys first --replace/);
  const replaced = await ivJson<{ key: string }>(['keys', 'first', '--replace'], env);
  expect(replaced).toEqual({ key: expect.stringMatching(/^ivk_live_/), test_key: null });
  expect(made.stdout).not.toContain(replaced.key);

  const otherKey = `k1:${Buffer.alloc(32, 9).toString('base64')}`;
  const refused = await iv(['keys', 'first'], { ...env, ENCRYPTION_KEY: otherKey });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^Making the first key failed: .+\nExpected a database that `iv migrate` was run on/,
  );
}, 90_000);

// Breaks if losing the key of the embedded database, whose address is not known, locks the operator out.
test('keys first finds the embedded database of a service that runs, and keeps its key where iv looks for it', async () => {
  const dataDir = aFolder();
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  await migrate({ connectionString: server.connectionString });
  await writeFile(join(dataDir, 'encryption-key'), `${ENCRYPTION_KEY}\n`);
  const path = join(dataDir, 'api-key');
  const made = await iv(['keys', 'first', '--json'], { DATA_DIR: dataDir });
  expect(made).toMatchObject({ exitCode: 0, stderr: `The key is kept in ${path}.\n` });
  const { key } = JSON.parse(made.stdout) as { key: string };
  expect(await readFile(path, 'utf8')).toBe(`${key}\n`);
  const replaced = await ivJson<{ key: string }>(['keys', 'first', '--replace'], { DATA_DIR: dataDir });
  expect(replaced.key).not.toBe(key);
  expect(await readFile(path, 'utf8')).toBe(`${replaced.key}\n`);
});

// Broke: several hosts are no URL to JavaScript, so iv found no database in it.
test('several hosts are all asked', async () => {
  const url = 'postgres://user:hunter2@127.0.0.1:1,127.0.0.1:2/x';
  const { exitCode, stderr } = await iv(['migrate'], { DATABASE_URL: url });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
});

test('a database that does not answer ends with 1, and its password is not repeated', async () => {
  const refused = await iv(['migrate', '--json'], { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/x' });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('ECONNREFUSED');
  expect(refused.stderr).not.toContain('hunter2');
});

test.each([
  // Broke: it said that no service runs here, and had not looked.
  [
    'migrate without a database',
    ['migrate'],
    {},
    'neither is set, and an embedded database is migrated by the start of its service.',
  ],
  [
    'migrate with another address',
    ['migrate'],
    { DATABASE_URL: 'mysql://u:hunter2@h/x' },
    'what came is no such address',
  ],
  ['keys first without a database', ['keys', 'first'], { ENCRYPTION_KEY }, 'neither is set'],
  [
    'keys first without a key',
    ['keys', 'first'],
    { DATABASE_URL: 'postgres://u:hunter2@h/x' },
    'No encryption key.',
  ],
  [
    'keys first with half a key',
    ['keys', 'first'],
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x', ENCRYPTION_KEY: 'k1:hunter2' },
    'ENCRYPTION_KEY',
  ],
])('%s ends with 2', async (_name, args, env, message) => {
  const refused = await iv(args, env);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(message);
  expect(refused.stderr).toContain('Right, for example: ');
  expect(refused.stderr).not.toContain('hunter2');
});
