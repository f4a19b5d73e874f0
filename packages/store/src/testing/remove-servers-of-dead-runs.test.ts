import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { isServerOfCluster } from '../embedded-server/process/server-process.ts';
import { clusterOf, Scratch } from '../embedded-server/run-program.fixture.ts';
import { removeServersOfDeadRuns, TEST_FOLDER_PREFIX } from './remove-servers-of-dead-runs.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

// Without it every killed test run would leave a server and its memory behind.
test('the server of a killed run is ended and removed, that of a living run is not', async () => {
  const folder = scratch.folder();
  const deadPid = spawnSync('true').pid;
  const dead = path.join(folder, `${TEST_FOLDER_PREFIX}${deadPid}-a`);
  const living = path.join(folder, `${TEST_FOLDER_PREFIX}${process.pid}-b`);
  mkdirSync(living);
  scratch.alsoClear(dead);
  const program = scratch.run({ dataDir: dead });
  const { pid } = await program.until('ready');

  // The id in the name is dead, but the lock is held: a reused id must not decide.
  await removeServersOfDeadRuns(folder);
  expect(isServerOfCluster(pid, clusterOf(dead))).toBe(true);

  program.child.kill('SIGKILL');
  await program.whenEnded;
  await removeServersOfDeadRuns(folder);
  expect(isServerOfCluster(pid, clusterOf(dead))).toBe(false);
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(living)).toBe(true);
});
