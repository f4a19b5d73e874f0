import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { removeDeadRuns } from '@insurance-verification/embedded-postgres/testing';
import { layCluster, MADE_CLUSTER } from '@insurance-verification/testing/lay-cluster';
import { BUNDLES } from '@insurance-verification/testing/run-folder';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { createTemplate } from './create-template.ts';
import { nameRun, type TestServer } from './test-server.ts';

/** Set once a project of the run has started its server, for the projects after it: a setup is loaded for each. */
const TEST_SERVER = 'IVS_TEST_SERVER';

/**
 * vitest's `globalSetup`, after `run-folder.ts` of the testing package: one PostgreSQL for the run, with a migrated template that `createTestDatabase()` clones.
 *
 * `TEST_DATABASE_URL` names an existing server to use (PostgreSQL 15 or newer, a role that may create databases);
 * without it an embedded server is started in the run's folder, and removed at the end.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const started = process.env[TEST_SERVER];
  if (started !== undefined) {
    project.provide('testServer', JSON.parse(started) as TestServer);
    return undefined;
  }
  await removeDeadRuns(path.dirname(os.tmpdir()));
  await removeDeadRuns(BUNDLES);
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined || given === '' ? await startTemporaryServer() : null;
  const adminConnectionString = server?.connectionString ?? given ?? '';
  try {
    const template = await createTemplate(adminConnectionString, nameRun());
    const testServer = { adminConnectionString, templateName: template.templateName };
    process.env[TEST_SERVER] = JSON.stringify(testServer);
    project.provide('testServer', testServer);
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
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'server-'));
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    // It visits each database every minute, long after its test: of two hundred it takes a second of CPU in thirty.
    autovacuum: 'off',
    // Each of some thousand connections proves its password.
    scram_iterations: '1',
    // Of four test files at a time, and of the services that they start.
    max_connections: '300',
  };
  await (await startEmbeddedServer({ dataDir: made, settings })).stop();
  process.env[MADE_CLUSTER] = made;
  layCluster(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings });
  const endAtOnce = () => {
    process.kill(server.pid, 'SIGQUIT'); // immediate shutdown: nothing of it is kept
    for (const each of [made, dataDir]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', endAtOnce); // of a run that is broken off, by Ctrl-C for example
  return {
    connectionString: server.connectionString,
    async remove() {
      process.off('exit', endAtOnce);
      await server.stop();
      for (const each of [made, dataDir]) await rm(each, { recursive: true, force: true });
    },
  };
}
