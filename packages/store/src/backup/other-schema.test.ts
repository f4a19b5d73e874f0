import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { SCHEMA_DIGEST } from '../schema/schema.ts';
import { backUpDataDir } from './back-up-data-dir.ts';
import { restoreDataDir } from './restore-data-dir.ts';

vi.setConfig({ testTimeout: 60_000 });

const settings = { fsync: 'off' };

/** Folders for one test, and the mark of the schema in the first one's cluster. */
async function folders() {
  const root = await mkdtemp(join(tmpdir(), 'ivs-backup-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  layCluster(dataDir);
  const mark = join('postgres', 'cluster', 'service-schema.json');
  return { dataDir, folder: join(root, 'backup'), other: join(root, 'other'), mark };
}

async function aServer(dataDir: string) {
  const server = await startEmbeddedServer({ dataDir, settings });
  onTestFinished(() => server.stop());
  return server;
}

// Without it a restored database would look as if an older build had made it, and could not be used.
test('a backup carries the mark of the schema', async () => {
  const { dataDir, folder, other, mark } = await folders();
  await aServer(dataDir);
  await backUpDataDir({ dataDir, folder });
  await restoreDataDir({ folder, dataDir: other });
  const restored = readFileSync(join(other, mark), 'utf8');
  expect(restored).toBe(readFileSync(join(dataDir, mark), 'utf8'));
  expect(JSON.parse(restored)).toMatchObject({ digest: SCHEMA_DIGEST });
  await (await aServer(other)).stop();
});

/** What is said of a backup of another build, and what makes the running cluster one. */
const OTHERS = [
  ['without a mark', 'build 126fa09d', (mark: string) => rmSync(mark)],
  [
    'with another mark',
    'build 1234abcd',
    (mark: string) => writeFileSync(mark, JSON.stringify({ digest: 'd1', build: '1234abcd' })),
  ],
] as const;

// Without it `iv restore` would lay down a database that no start takes, in the place where a right one may go.
test.each(OTHERS)('a backup %s is not restored, and nothing of it is left', async (_, said, change) => {
  const { dataDir, folder, other, mark } = await folders();
  const server = await aServer(dataDir);
  change(join(dataDir, mark));
  writeFileSync(join(dataDir, 'encryption-key'), 'k1:secret\n');
  await backUpDataDir({ dataDir, folder, withKeys: true }); // of a running server, as the build that made it does
  await server.stop();
  const content = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const before = content();
  const refused = restoreDataDir({ folder, dataDir: other });
  await expect(refused).rejects.toMatchObject({ code: 'other_schema' });
  await expect(refused).rejects.toThrow(`The backup in ${folder} has the tables of another build`);
  await expect(refused).rejects.toThrow(said);
  expect(readdirSync(other, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'postgres',
    join('postgres', 'owner.lock'),
  ]);
  expect(content()).toEqual(before);
  await (await aServer(other)).stop(); // the folder is free for a new database
});

// Without it a backup would start a server, and with it PostgreSQL's recovery, on what it must not touch.
test('of a stopped database with another schema no backup is made', async () => {
  const { dataDir, folder, mark } = await folders();
  await (await aServer(dataDir)).stop();
  rmSync(join(dataDir, mark));
  await expect(backUpDataDir({ dataDir, folder })).rejects.toMatchObject({ code: 'other_schema' });
  expect(existsSync(folder)).toBe(false);
  expect(readdirSync(join(dataDir, '..'))).toEqual(['data']);
});
