import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { backUpDataDir } from './back-up-data-dir.ts';
import { restoreDataDir } from './restore-data-dir.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;
let folder: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'ivs-backup-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  dataDir = join(root, 'data');
  folder = join(root, 'backups', 'monday');
});

async function aServer() {
  if (!existsSync(dataDir)) layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  return server;
}

async function query(connectionString: string, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<pg.QueryResultRow>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

// Breaks if a backup holds half of a transaction, or misses a write acknowledged before the backup began.
test('a backup under writes holds everything committed before it, and only whole transactions', async () => {
  const server = await aServer();
  await query(server.connectionString, 'create table a (n int); create table b (n int)');
  const writer = new pg.Client({ connectionString: server.connectionString });
  await writer.connect();
  let written = 0;
  let isWriting = true;
  const writing = (async () => {
    for (; isWriting; written += 1)
      await writer.query(
        `begin; insert into a values (${written}); insert into b values (${written}); commit`,
      );
  })();
  while (written < 10) await new Promise(setImmediate);

  const before = written;
  await backUpDataDir({ dataDir, folder });
  expect(written).toBeGreaterThan(before); // nobody was waiting for it
  isWriting = false;
  await writing;
  await writer.end();
  await server.stop();
  rmSync(dataDir, { recursive: true });

  await restoreDataDir({ folder, dataDir });
  const restored = await aServer();
  const [counts] = await query(
    restored.connectionString,
    'select (select count(*)::int from a) as a, (select count(*)::int from b) as b',
  );
  expect(counts?.['a']).toBeGreaterThanOrEqual(before);
  expect(counts?.['b']).toBe(counts?.['a']);
});

const filesIn = (of: string) => readdirSync(of, { recursive: true, encoding: 'utf8' }).toSorted();

// Broke: a backup held the keys beside the data that they open, and every other file that lay in the folder.
test('no service need run for a backup, which holds only the database, for this user', async () => {
  const server = await aServer();
  await query(server.connectionString, 'create table a (n int); insert into a values (7)');
  await server.stop();
  for (const name of ['encryption-key', 'audit-seal-key', 'api-key', 'test-api-key', 'request.json'])
    writeFileSync(join(dataDir, name), 'secret\n', { mode: 0o644 });

  const { byteCount, keys, leftOut } = await backUpDataDir({ dataDir, folder });
  expect(keys).toEqual([]);
  expect(leftOut).toEqual(['encryption-key', 'audit-seal-key', 'api-key', 'test-api-key']);
  expect(byteCount).toBe(statSync(join(folder, 'postgres', 'cluster.tar.gz')).size);
  const files = filesIn(folder);
  expect(files).toEqual(['postgres', 'postgres/cluster.tar.gz']);
  if (process.platform !== 'win32')
    expect(['.', ...files].filter((file) => (statSync(join(folder, file)).mode & 0o077) !== 0)).toEqual([]);

  await expect(restoreDataDir({ folder, dataDir })).rejects.toMatchObject({
    code: 'backup_refused',
    message: expect.stringMatching(/cluster is there already\. Move it away, or give another DATA_DIR\.$/),
  });
  // The keys may be back in their place before the database is.
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  rmSync(join(dataDir, 'audit-seal-key'));
  expect(await restoreDataDir({ folder, dataDir })).toEqual({
    keys: [],
    missing: ['audit-seal-key'],
    lostErasures: [],
  });
  const restored = await aServer();
  expect(await query(restored.connectionString, 'select n from a')).toEqual([{ n: 7 }]);

  // Breaks if half of yesterday's copy is left where a complete one is expected.
  await expect(backUpDataDir({ dataDir, folder })).rejects.toThrow(
    `${folder} is there and is no empty folder.`,
  );
});

test('the keys come along when they are asked for, the server’s password never', async () => {
  const server = await aServer();
  await server.stop();
  const password = new URL(server.connectionString).password;
  for (const name of ['encryption-key', 'api-key', 'request.json'])
    writeFileSync(join(dataDir, name), `${name}\n`, { mode: 0o644 });
  const { keys, leftOut } = await backUpDataDir({ dataDir, folder, withKeys: true });
  expect({ keys, leftOut }).toEqual({ keys: ['encryption-key', 'api-key'], leftOut: [] });
  const files = filesIn(folder);
  expect(files).toEqual(['api-key', 'encryption-key', 'postgres', 'postgres/cluster.tar.gz']);
  if (process.platform !== 'win32')
    expect(files.filter((file) => (statSync(join(folder, file)).mode & 0o077) !== 0)).toEqual([]);

  rmSync(join(dataDir, 'postgres'), { recursive: true });
  await expect(restoreDataDir({ folder, dataDir })).rejects.toThrow('encryption-key is there already');
  rmSync(dataDir, { recursive: true });
  const restored = await restoreDataDir({ folder, dataDir });
  expect(restored).toEqual({
    keys: ['encryption-key', 'api-key'],
    missing: ['audit-seal-key', 'test-api-key'],
    lostErasures: [],
  });
  const again = await aServer();
  expect(new URL(again.connectionString).password).not.toBe(password);
  expect(await query(again.connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a backup that is not whole is not restored', async () => {
  const server = await aServer();
  await backUpDataDir({ dataDir, folder });
  await server.stop();
  const archive = join(folder, 'postgres', 'cluster.tar.gz');
  truncateSync(archive, statSync(archive).size - 1_000);
  const other = join(dataDir, '..', 'other');
  await expect(restoreDataDir({ folder, dataDir: other })).rejects.toMatchObject({
    code: 'backup_refused',
    message: expect.stringContaining(`${archive} is not whole: `),
  });
  expect(readdirSync(join(other, 'postgres'))).toEqual(['owner.lock']);
  rmSync(archive);
  await expect(restoreDataDir({ folder, dataDir: other })).rejects.toThrow(
    'it has no postgres/cluster.tar.gz.',
  );
});

// Broke: keys stayed without a database, so that the next restore refused and a start made an empty database beside
// them.
test('a restore that cannot lay down every file leaves none of them, and works when the cause is gone', async () => {
  const server = await aServer();
  await server.stop();
  writeFileSync(join(dataDir, 'encryption-key'), 'k1:secret\n');
  await backUpDataDir({ dataDir, folder, withKeys: true });
  const other = join(dataDir, '..', 'other');
  // `existsSync` finds nothing there, and nothing can be written through it.
  mkdirSync(other);
  symlinkSync(join(other, 'missing', 'file'), join(other, 'encryption-key'));
  await expect(restoreDataDir({ folder, dataDir: other })).rejects.toMatchObject({
    code: 'backup_refused',
    message: expect.stringContaining(`could not be laid out in ${other}: `),
  });
  expect(readdirSync(other)).toEqual(['postgres']);
  expect(readdirSync(join(other, 'postgres'))).toEqual(['owner.lock']);
  await restoreDataDir({ folder, dataDir: other });
});

test('where no database is, nothing is backed up and nothing made', async () => {
  await expect(backUpDataDir({ dataDir, folder })).rejects.toThrow(`There is no database in ${dataDir}.`);
  expect([dataDir, folder].filter((path) => existsSync(path))).toEqual([]);
});
