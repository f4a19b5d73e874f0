import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { onTestFinished } from 'vitest';
import { aFolder } from '../a-folder.ts';
import { send } from '../send.ts';
import { startFlags } from '../start-flags.ts';
import { until } from '../until.ts';

/** Node and what follows, as `pnpm start` has it. */
export const commandLine: readonly [string, ...string[]] = [
  process.execPath,
  ...startFlags,
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
];

/** The variables of a service on a database of its own. */
export async function anEnvironment(): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATABASE_URL: (await createTestDatabase()).connectionString,
    DATA_DIR: aFolder(),
    ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    BOOTSTRAP_API_KEY: 'bootstrap-key-of-the-tests-0123456789',
  };
}

/** A process, what it says on stderr, and how it ends. */
export interface Process {
  readonly child: ChildProcess;
  readonly told: () => string;
  /** The address of the service, once it is told. */
  url(): Promise<string>;
  /** `exit 0` or the signal that ended it. */
  ended(): Promise<string>;
}

export function aProcess(
  [command, ...args]: readonly [string, ...string[]],
  { env, stdio, detached = false }: { env: Record<string, string>; stdio: StdioOptions; detached?: boolean },
): Process {
  const child = spawn(command, args, { env, stdio, detached });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  let ended: string | undefined;
  child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.once('exit', (code, signal) => (ended = signal ?? `exit ${code}`));
  return {
    child,
    told: () => told,
    url: () =>
      until('it told its address', () => /Insurance Verification Service +(http:\S+)/.exec(told)?.[1]),
    ended: () => until('it ended', () => ended),
  };
}

/** Calls that each leave a line in the log. */
export async function makeLines(url: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await send('GET', `${url}/livez`);
}

/** How many lines of the log nobody could be given. */
export async function lostLines(url: string): Promise<number> {
  const { text } = await send('GET', `${url}/metrics`);
  return Number(/^ivs_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}
