import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFlags } from '../../test/start-flags.ts';
import type { Ground } from '../fault-row.ts';

export const API_KEY = 'fault-key-0123456789abcdef';
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MASTER_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

export interface ServiceProcessOptions {
  /** Left out: the embedded server in `dataDir`. */
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly roles?: 'http' | 'delivery' | 'http,delivery';
  /** 0 takes a free one. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The service as `pnpm start` runs it, in a process of its own. */
export interface ServiceProcess {
  /** Empty without the http role. */
  readonly url: string;
  readonly pid: number;
  /** What ended it, such as `SIGKILL` or `exit 0`; null while it runs. */
  readonly ended: () => string | null;
  readonly whenEnded: Promise<string>;
  /** What it has said at the level of warnings and above. */
  readonly said: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM; resolves with what ended it. */
  readonly stop: () => Promise<string>;
}

/** A runner that ends in the middle of a row, as a test that took too long, leaves none behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/**
 * Starts it and resolves when it has said that it is there; it ends with the row.
 * @throws when it ended first, with what it said
 */
export async function startServiceProcess(
  { stack }: Ground,
  { databaseUrl, dataDir, roles = 'http,delivery', port = 0, env = {} }: ServiceProcessOptions,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...startFlags, program], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ENCRYPTION_KEY: MASTER_KEY,
      LOG_LEVEL: 'warn',
      ROLES: roles,
      PORT: String(port),
      DATA_DIR: dataDir ?? aFolder(stack),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  let ended: string | null = null;
  const { promise: whenEnded, resolve: end } = Promise.withResolvers<string>();
  const { promise: whenReady, resolve: ready, reject: fail } = Promise.withResolvers<string>();
  const listen = (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-200_000);
    if (/Insurance Verification Service.*\n/.test(said))
      ready(/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '');
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.once('close', (code, signal) => {
    running.delete(child);
    ended = signal ?? `exit ${code}`;
    end(ended);
    fail(new Error(`The service ended with ${ended}: ${said.slice(-2_000)}`));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await whenEnded;
  };
  stack.defer(kill);
  return {
    url: await whenReady,
    pid: child.pid ?? 0,
    ended: () => ended,
    whenEnded,
    said: () => said,
    signal: (signal) => void child.kill(signal),
    kill,
    stop: () => {
      child.kill('SIGTERM');
      return whenEnded;
    },
  };
}

/** A folder that goes with the row. */
export function aFolder(stack: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'fault-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
