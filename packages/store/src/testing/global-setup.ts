import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../embedded-server/start-embedded-server.ts';
import { createTemplate } from './create-template.ts';
import { layCluster, MADE_CLUSTER } from './lay-cluster.ts';
import { removeDeadRuns } from './remove-dead-runs.ts';
import { nameRun } from './test-server.ts';

/**
 * vitest's `globalSetup`, after `run-folder.ts` of the testing package: one PostgreSQL for the run, with a migrated template that `createTestDatabase()` clones.
 *
 * `TEST_DATABASE_URL` names an existing server to use (PostgreSQL 15 or newer, a role that may create databases);
 * without it an embedded server is started in the run's folder and removed at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined || given === '' ? await startTemporaryServer() : null;
  const adminConnectionString = server?.connectionString ?? given ?? '';
  try {
    const template = await createTemplate(adminConnectionString, nameRun());
    project.provide('testServer', { adminConnectionString, templateName: template.templateName });
    return async () => {
      await template.drop();
      await server?.remove();
    };
  } catch (err) {
    await server?.remove();
    throw err;
  }
}

async function startTemporaryServer(): Promise<{ connectionString: string; remove(): Promise<void> }> {
  await removeDeadRuns(path.dirname(os.tmpdir()));
  const made = await mkdtemp(path.join(os.tmpdir(), 'made-'));
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'server-'));
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    // It visits each database every minute, long after its test: of two hundred it takes a second of CPU in thirty.
    autovacuum: 'off',
  };
  await (await startEmbeddedServer({ dataDir: made, settings })).stop();
  process.env[MADE_CLUSTER] = made;
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings });
  return {
    connectionString: server.connectionString,
    async remove() {
      await server.stop();
      for (const folder of [made, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}
