import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { removeDeadRuns } from '@insurance-verification/embedded-postgres/testing';
import { layCluster, MADE_CLUSTER } from '@insurance-verification/testing/lay-cluster';
import { BUNDLES, RUN_FOLDER_PREFIX } from '@insurance-verification/testing/run-folder';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { createTemplate } from './create-template.ts';
import { nameRun } from './test-server.ts';

/**
 * vitest's `globalSetup`, after `run-folder.ts` of the testing package: one PostgreSQL for the run, with a migrated template that `createTestDatabase()` clones.
 *
 * `TEST_DATABASE_URL` names an existing server to use (PostgreSQL 15 or newer, a role that may create databases);
 * without it an embedded server is started, in memory where there is room, and removed at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeDeadRuns(path.dirname(os.tmpdir()));
  await removeDeadRuns(BUNDLES);
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined || given === '' ? await startTemporaryServer() : null;
  const adminConnectionString = server?.connectionString ?? given ?? '';
  try {
    const template = await createTemplate(adminConnectionString, nameRun());
    project.provide('testServer', { adminConnectionString, templateName: template.templateName });
    return async () => {
      if (server) await server.remove();
      else await template.drop();
    };
  } catch (err) {
    await server?.remove();
    throw err;
  }
}

async function startTemporaryServer(): Promise<{ connectionString: string; remove(): Promise<void> }> {
  const made = await mkdtemp(path.join(os.tmpdir(), 'made-'));
  const folder = await serverFolder();
  const dataDir = await mkdtemp(path.join(folder, 'server-'));
  const folders = [made, dataDir, ...(folder === os.tmpdir() ? [] : [folder])];
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    // It visits each database every minute, long after its test: of two hundred it takes a second of CPU in thirty.
    autovacuum: 'off',
    // Each of some thousand connections proves its password.
    scram_iterations: '1',
  };
  await (await startEmbeddedServer({ dataDir: made, settings })).stop();
  process.env[MADE_CLUSTER] = made;
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings });
  const endAtOnce = () => {
    process.kill(server.pid, 'SIGQUIT'); // immediate shutdown: nothing of it is kept
    for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', endAtOnce); // of a run that is broken off, by Ctrl-C for example
  return {
    connectionString: server.connectionString,
    async remove() {
      process.off('exit', endAtOnce);
      await server.stop();
      for (const each of folders) await rm(each, { recursive: true, force: true });
    },
  };
}

const IN_MEMORY = '/dev/shm'; // of Linux

/** Bytes: the databases of two test files at a time take some hundred MB. */
const ROOM_MIN = 4 * 2 ** 30;

/** On a disk, a quarter of what the server costs is making the files of databases and removing them. */
async function serverFolder(): Promise<string> {
  if (!existsSync(IN_MEMORY)) return os.tmpdir();
  await removeDeadRuns(IN_MEMORY);
  const { bavail, bsize } = await statfs(IN_MEMORY);
  if (Math.min(bavail * bsize, os.freemem()) < ROOM_MIN) return os.tmpdir();
  const folder = await mkdtemp(path.join(IN_MEMORY, `${RUN_FOLDER_PREFIX}${process.pid}-`));
  await chmod(folder, 0o711); // PostgreSQL does not run as root
  return folder;
}
