import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { afterAll, beforeAll } from 'vitest';

const program = fileURLToPath(new URL('../../../apps/api/src/main.ts', import.meta.url));

/** The service as its own process, on a database of its own. */
export interface TestService {
  readonly url: string;
  readonly apiKey: string;
}

/** A service for all tests of a file. */
export function useService(): () => TestService {
  let started: (TestService & { stop(): Promise<void> }) | undefined;
  beforeAll(async () => void (started = await startService()), 60_000);
  afterAll(() => started?.stop(), 60_000);
  return () => {
    if (!started) throw new Error('The service is there once the tests run.');
    return started;
  };
}

async function startService() {
  const apiKey = 'bootstrap-key-of-the-tool-tests-0123456789';
  const [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'iv-tools-'))]);
  const child = spawn(process.execPath, ['--conditions=@insurance-verification/source', program], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      ROLES: 'http',
      DATA_DIR: dataDir,
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      BOOTSTRAP_API_KEY: apiKey,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk as string;
    if (/Documentation +http:\S+/.test(said)) break;
  }
  child.stderr.resume();
  const url = /Insurance Verification Service +(http:\S+)/.exec(said)?.[1];
  const stop = async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  if (url === undefined) {
    await stop();
    throw new Error(`The service did not start:\n${said}`);
  }
  return { url, apiKey, stop };
}
