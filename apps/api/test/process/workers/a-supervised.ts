import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import {
  API_KEY,
  ENCRYPTION_KEY,
  SERVICE_COMMAND,
} from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { aProcess, type Process } from '../a-process.ts';

/** `DATABASE_POOL_MAX` of each worker. */
export const POOL_MAX = 4;

export const PAYERS = JSON.stringify({
  payers: DEFAULT_PAYERS.map((name, index) => ({
    id: `plan-${index}`,
    name,
    channels: ['manual_phone_call'],
  })),
});

interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly [field: string]: unknown;
}

/** A supervisor with workers, and what it logged. */
export interface Supervised {
  readonly url: string;
  readonly service: Process;
  readonly databaseUrl: string;
  readonly payersFile: string;
  readonly pid: number;
  readonly lines: (msg: string) => Line[];
  /** A line that says so, after those that did before. */
  readonly next: (msg: string) => Promise<Line>;
}

export async function aSupervised(workers: number): Promise<Supervised> {
  const folder = aFolder();
  const payersFile = join(folder, 'payers.json');
  writeFileSync(payersFile, PAYERS);
  const databaseUrl = (await createTestDatabase()).connectionString;
  const service = aProcess(SERVICE_COMMAND, {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      WORKERS: String(workers),
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_MAX: String(POOL_MAX),
      DATA_DIR: folder,
      ENCRYPTION_KEY,
      BOOTSTRAP_API_KEY: API_KEY,
      PAYERS_FILE: payersFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  service.child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const lines = (msg: string) =>
    log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.msg === msg);
  let seenCount = 0;
  service.child.once('exit', (code) => {
    if (code !== 0) process.stderr.write(service.told());
  });
  return {
    service,
    databaseUrl,
    payersFile,
    pid: service.child.pid ?? 0,
    lines,
    next: (msg) => {
      seenCount = lines(msg).length;
      return until(`the log says: ${msg}`, () => lines(msg)[seenCount], 120_000);
    },
    url: await until('it serves', () => lines('listening')[0]?.['url'] as string | undefined, 120_000),
  };
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

/** The process of a worker, by what it is called. */
export function workerOf(pid: number, number: number): number {
  const isIt = (child: number) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(`worker-${number}\0`);
  const found = childrenOf(pid).find(isIt);
  if (found === undefined) throw new Error(`There is no worker ${number}.`);
  return found;
}

export const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
