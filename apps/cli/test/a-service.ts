import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { afterAll, beforeAll } from 'vitest';
import { inherited, runSource } from './run-source.ts';
import { untilSaid } from './until-said.ts';

export const API_KEY = 'bootstrap-key-of-the-cli-tests-0123456789';
export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

const program = new URL('../../api/src/main.ts', import.meta.url);

/** The service as its own process, on a database of its own. */
export interface TestService {
  readonly url: string;
  readonly apiKey: string;
  /** Where it keeps its first key, when it made one itself. */
  readonly dataDir: string;
  readonly client: RestClient;
  stop(): Promise<void>;
}

/** `env` is configured over the fewest variables that start on a given database. */
async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  const [database, dataDir] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'iv-cli-test-')),
  ]);
  const child = spawn(process.execPath, runSource(program), {
    env: {
      ...inherited(),
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY,
      BOOTSTRAP_API_KEY: API_KEY,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [, url = ''] = await untilSaid(child, child.stderr, /Insurance Verification Service +(http:\S+)/);
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, apiKey: API_KEY, dataDir, client: createRestClient({ url, apiKey: API_KEY }), stop };
}

/** A service for all tests of a file. */
export function useService(env?: Record<string, string>): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService(env);
  }, 60_000);
  afterAll(() => service?.stop(), 60_000);
  return () => {
    if (!service) throw new Error('The service is there once the tests run.');
    return service;
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
