import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { binariesIn, locateBinaries, reachableBinaries } from './binaries.ts';
import { clusterOf, query, Scratch } from './run-program.fixture.ts';
import { startServer } from './start.ts';
import { chooseServerUser } from './user.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

/** A folder like /root: only its owner, who starts the program, may enter. */
function closedFolder(): string {
  const folder = scratch.folder();
  chmodSync(folder, 0o700);
  return folder;
}

// Without it a checkout in /root, typical on a new machine, would not start.
test('a data directory below a folder closed to the server works, and the data stays in it', async () => {
  const dataDir = path.join(closedFolder(), 'checkout', '.data');
  scratch.alsoClear(dataDir);
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  await query(server.connectionString, 'create table kept as select 42 as answer');
  await server.stop();
  expect(readdirSync(clusterOf(dataDir))).toContain('PG_VERSION');
  expect(statSync(dataDir).mode & 0o077).toBe(0);
  const again = await startServer({ dataDir, settings: { fsync: 'off' } });
  expect(await query(again.connectionString, 'select answer from kept')).toEqual([{ answer: 42 }]);
  // New server processes need access as well: parallel workers and new backends open files by path.
  await query(again.connectionString, 'set debug_parallel_query = on; select count(*) from kept');
  await query(again.connectionString, 'vacuum kept');
  await again.stop();
});

// Without it the same checkout would have its data but no executable server.
test('binaries below a closed folder, or installed under umask 077, are copied to where the server can run them', async () => {
  const installed = locateBinaries();
  const closed = path.join(closedFolder(), 'native');
  cpSync(installed.nativeDir, closed, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'go-rwx', closed]);
  const binaries = binariesIn(closed, installed.build);
  const user = chooseServerUser({ clusterDir: '/nonexistent' });
  const cacheDir = path.join(scratch.folder(), 'cache');
  chmodSync(path.dirname(cacheDir), 0o755);
  const reachable = reachableBinaries(binaries, user, [cacheDir]);
  // Only root runs the server as another user and so needs the copy.
  expect(reachable.nativeDir).toBe(user === null ? closed : path.join(cacheDir, installed.build));
  expect(reachableBinaries(binaries, user, [cacheDir])).toEqual(reachable);
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir, settings: { fsync: 'off' }, binaries: reachable });
  expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

// Without it anyone with write access to a shared tmp could make root's database run their program.
test('a cache folder that others can write is not used', () => {
  const installed = locateBinaries();
  const closed = path.join(closedFolder(), 'native');
  mkdirSync(closed);
  const binaries = binariesIn(closed, installed.build);
  const open = scratch.folder();
  chmodSync(open, 0o777);
  const user = chooseServerUser({ clusterDir: '/nonexistent' }) ?? { uid: 1, gid: 1 };
  expect(() => reachableBinaries(binaries, user, [open])).toThrow(/only this user can write.*DATABASE_URL/s);
});

// Without it a cluster restored by root's backup tool would be refused with "wrong ownership".
test('a cluster that came to belong to root is given back to the server', async () => {
  const dataDir = scratch.dataDir();
  const first = await startServer({ dataDir, settings: { fsync: 'off' } });
  await first.stop();
  const cluster = clusterOf(dataDir);
  const own = process.getuid?.() ?? 0;
  spawnSync('chown', ['-R', String(own), cluster]);
  chownSync(cluster, own, process.getgid?.() ?? 0);
  const again = await startServer({ dataDir, settings: { fsync: 'off' } });
  expect(await query(again.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
  rmSync(dataDir, { recursive: true });
});
