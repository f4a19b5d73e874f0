import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedServerError, findServer } from '@insurance-verification/embedded-postgres';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedServer } from './embedded-server.ts';
import { SCHEMA_DIGEST } from './schema.ts';

vi.setConfig({ testTimeout: 60_000 });

const settings = { fsync: 'off' };
const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres', 'cluster');
const markOf = (dataDir: string) => path.join(clusterOf(dataDir), 'service-schema.json');

/** Removed after the test. */
function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'marked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data directory whose server has run, and has ended. */
async function aStopped(dataDir: string): Promise<string> {
  const server = await startEmbeddedServer({ dataDir, settings });
  await server.stop();
  return dataDir;
}

/** Everything in a folder with its size, owner and last change; not the lock, which each start takes. */
const contentOf = (dataDir: string) =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) !== 'owner.lock')
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, uid, mode, ino } = lstatSync(path.join(dataDir, name));
      return name === 'postgres' ? [name] : [name, size, mtimeMs, uid, mode, ino];
    });

// Without it the next build could not tell which build made the tables, and would read rows that it misunderstands.
test('a new cluster is marked with the schema that its tables will have, only for its user', async () => {
  const dataDir = await aStopped(aFolder());
  const mark: unknown = JSON.parse(readFileSync(markOf(dataDir), 'utf8'));
  expect(mark).toEqual({ digest: SCHEMA_DIGEST, build: expect.stringMatching(/./) });
  expect(statSync(markOf(dataDir)).mode & 0o777).toBe(0o600);
  expect(statSync(markOf(dataDir)).uid).toBe(statSync(clusterOf(dataDir)).uid);
  const again = await startEmbeddedServer({ dataDir, settings });
  await again.stop();
  expect(JSON.parse(readFileSync(markOf(dataDir), 'utf8'))).toEqual(mark);
});

// Without it a start would change what only the older build can read, or end in an error of SQL.
test.each([
  ['without a mark', 'build 126fa09d', (mark: string) => rmSync(mark)],
  ['whose mark is cut off', 'build 126fa09d', (mark: string) => writeFileSync(mark, '{"digest":"')],
  ['whose mark is another program’s', 'build 126fa09d', (mark: string) => writeFileSync(mark, '[1]')],
  [
    'with another mark',
    'build 1234abcd',
    (mark: string) => writeFileSync(mark, JSON.stringify({ digest: 'd1', build: '1234abcd' })),
  ],
])(
  'a cluster %s is refused before its server starts, and nothing in it is changed',
  async (_, said, change) => {
    const dataDir = aFolder();
    layCluster(dataDir);
    await aStopped(dataDir);
    change(markOf(dataDir));
    const before = contentOf(dataDir);
    const lines: string[] = [];
    const refused = startEmbeddedServer({ dataDir, settings, log: (line) => lines.push(line) });
    await expect(refused).rejects.toBeInstanceOf(EmbeddedServerError);
    await expect(refused).rejects.toMatchObject({ code: 'other_schema' });
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.toThrow(
      `The database in ${path.join(dataDir, 'postgres')} has the tables of another`,
    );
    expect(contentOf(dataDir)).toEqual(before);
    expect(findServer(dataDir)).toBeUndefined();
    expect(lines).toEqual([]);
    // Nobody's: the build that made it may go on with it at once.
    await expect(startEmbeddedServer({ dataDir, settings })).rejects.toMatchObject({ code: 'other_schema' });
  },
);
