import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { afterAll, beforeAll } from 'vitest';

export const API_KEY = 'bootstrap-key-of-the-mcp-tests-0123456789';

export interface TestService {
  readonly url: string;
  readonly client: RestClient;
  stop(): Promise<void>;
}

/** How Node runs the source of a program of this workspace. */
export const runSource = (path: string): string[] => [
  '--conditions=@insurance-verification/source',
  fileURLToPath(new URL(path, import.meta.url)),
];

/** The service as its own process, on a database of its own; its payers' route is these two channels. */
async function startTestService(): Promise<TestService> {
  const { connectionString } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'iv-mcp-test-'));
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['agent_web_portal', 'manual_phone_call'],
    notes: 'Have the NPI at hand.',
  }));
  const payersFile = join(dataDir, 'payers.json');
  await writeFile(payersFile, JSON.stringify({ payers }));
  const child = spawn(process.execPath, runSource('../../api/src/main.ts'), {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      BOOTSTRAP_API_KEY: API_KEY,
      PAYERS_FILE: payersFile,
      WORK_LEASE_SECONDS: '5',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await said(child, /Insurance Verification Service +(http:\S+)/);
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, client: createRestClient({ url, apiKey: API_KEY }), stop };
}

/** A service for all tests of a file. */
export function useService(): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService();
  }, 60_000);
  afterAll(() => service?.stop(), 60_000);
  return () => {
    if (!service) throw new Error('The service is there once the tests run.');
    return service;
  };
}

/** The first group of what a process says on stderr, once it says it; what it says later goes to `later`. */
export function said(
  child: ChildProcess,
  pattern: RegExp,
  later: (text: string) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isSaid = false;
    child.stderr?.on('data', (chunk: Buffer) => {
      if (isSaid) return later(String(chunk));
      text += String(chunk);
      const found = pattern.exec(text)?.[1];
      if (found === undefined) return;
      isSaid = true;
      resolve(found);
    });
    child.stderr?.once('end', () => reject(new Error(`It ended without saying ${pattern}: ${text}`)));
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
