import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { API_KEY, ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { onTestFinished } from 'vitest';
import { send } from '../send.ts';

/** The environment of a service on its own database. */
export async function anEnvironment(): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATABASE_URL: (await createTestDatabase()).connectionString,
    DATA_DIR: aFolder(),
    ENCRYPTION_KEY,
    BOOTSTRAP_API_KEY: API_KEY,
  };
}

/** A process, its stderr, and how it ends. */
export interface Process {
  readonly child: ChildProcess;
  readonly output: () => string;
  /**
   * The service's address, from its `DATA_DIR`: these tests use the log for other things.
   * @throws when it ended before it served
   */
  url(): Promise<string>;
  /** `exit 0`, or the signal that ended it. */
  ended(): Promise<string>;
}

export function aProcess(
  [command, ...args]: readonly [string, ...string[]],
  { env, stdio, detached = false }: { env: Record<string, string>; stdio: StdioOptions; detached?: boolean },
): Process {
  const child = spawn(command, args, { env, stdio, detached });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let ended: string | undefined;
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('exit', (code, signal) => (ended = signal ?? `exit ${code}`));
  return {
    child,
    output: () => output,
    url: () =>
      addressIn(env['DATA_DIR'] ?? '', () => {
        if (ended !== undefined) throw new Error(`It ended with ${ended}: ${output}`);
      }),
    ended: () => until('it ended', () => ended),
  };
}

/** Milliseconds for a start that makes its database, while the machine runs all suites: 29 s were too few once. */
export const START_WITHIN_MS = 120_000;

/**
 * The address that a data folder's process announces, once it does.
 * @throws what `check` throws, which is called at each look
 */
export function addressIn(dataDir: string, check: () => void = () => {}): Promise<string> {
  const look = () => {
    check();
    return announcedUrl(dataDir);
  };
  return until('it wrote down its address', look, START_WITHIN_MS);
}

/** The address that a data folder's process has announced. */
export function announcedUrl(dataDir: string): string | undefined {
  const folder = join(dataDir, 'running');
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  if (name === undefined) return undefined;
  const text = readFileSync(join(folder, name), 'utf8');
  return text.endsWith('\n') ? (JSON.parse(text) as { url: string }).url : undefined;
}

/** Makes calls that leave one log line each. */
export async function makeLines(url: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await send('GET', `${url}/livez`);
}

/** The number of log lines that could not be written. */
export async function lostLines(url: string): Promise<number> {
  const { text } = await send('GET', `${url}/metrics`);
  return Number(/^ivs_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}
