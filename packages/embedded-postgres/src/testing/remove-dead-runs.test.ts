import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { RUN_FOLDER_PREFIX } from '@insurance-verification/testing/run-folder';
import { afterEach, expect, test, vi } from 'vitest';
import { clusterOf, Scratch } from '../run-program.fixture.ts';
import { isServerOfCluster } from '../server-process.ts';
import { removeDeadRuns } from './remove-dead-runs.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

// Without it every killed test run would leave its servers, their memory and its folders behind.
test('the servers of a killed run are ended and its folder removed, those of a living run are not', async () => {
  const folder = scratch.folder();
  const deadPid = spawnSync('true').pid;
  const dead = path.join(folder, `${RUN_FOLDER_PREFIX}${deadPid}-a`);
  const living = path.join(folder, `${RUN_FOLDER_PREFIX}${process.pid}-b`);
  mkdirSync(living);
  const dataDir = path.join(dead, 'a-file', 'a-service');
  mkdirSync(dataDir, { recursive: true });
  scratch.alsoClear(dataDir);
  const program = scratch.run({ dataDir });
  const { pid } = await program.until('ready');

  // The id in the name is dead, but the lock is held: a reused id must not decide.
  await removeDeadRuns(folder);
  expect(isServerOfCluster(pid, clusterOf(dataDir))).toBe(true);

  program.child.kill('SIGKILL');
  await program.whenEnded;
  await removeDeadRuns(folder);
  expect(isServerOfCluster(pid, clusterOf(dataDir))).toBe(false);
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(living)).toBe(true);
});
