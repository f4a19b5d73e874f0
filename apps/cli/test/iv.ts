import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inherited } from '@insurance-verification/testing/inherited';
import { vi } from 'vitest';
import { run } from '../src/program.ts';

const program = new URL('../src/main.js', import.meta.url);

/** Node's arguments for the source of `iv`. */
export const SOURCE_ARGS = ['--conditions=@insurance-verification/source', fileURLToPath(program)];

/** Of no service. By default `iv` would find, and write to, one that a developer runs in this checkout. */
const NO_DATA_DIR = fileURLToPath(new URL('../node_modules/.cache/no-data', import.meta.url));

const environmentWith = (env: Record<string, string>) => ({ ...inherited(), DATA_DIR: NO_DATA_DIR, ...env });

/** The outcome of one run of `iv`. */
export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Cli = ChildProcessByStdio<null, Readable, Readable>;

/** The environment with a service and a key; nothing else of this machine's environment goes in. */
export const naming = ({ url, apiKey }: { url: string; apiKey: string }) => ({
  IV_URL: url,
  IV_API_KEY: apiKey,
});

/** Starts `iv` as a separate process, with nothing or an open file as its stdin. */
export function startIv(
  args: readonly string[],
  env: Record<string, string> = {},
  stdin: 'ignore' | number = 'ignore',
): Cli {
  return spawn(process.execPath, [...SOURCE_ARGS, ...args], {
    env: environmentWith(env),
    stdio: [stdin, 'pipe', 'pipe'],
  }) as Cli;
}

/** Runs `iv` as a separate process to its end. */
export async function ivProcess(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = startIv(args, env);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `iv` to its end in the test's own process, since one of its own takes half a second of CPU to load what is here
 * already. One at a time: the words, the environment and the outputs are the process's.
 */
export function iv(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const outcome = last.then(() => runHere(args, env));
  last = outcome.catch(() => undefined); // its caller gets it
  return outcome;
}

async function runHere(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const { env: environment, argv } = process;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  process.env = environmentWith(env);
  process.argv = [process.execPath, fileURLToPath(program), ...args];
  try {
    const exitCode = await run(args);
    return { exitCode, stdout: stdout.written(), stderr: stderr.written() };
  } finally {
    Object.assign(process, { env: environment, argv });
    stdout.restore();
    stderr.restore();
  }
}

/** What is written to a stream from now on goes nowhere else. */
function capture(stream: Writable) {
  const chunks: Buffer[] = [];
  const spy = vi
    .spyOn(stream, 'write')
    .mockImplementation((chunk: string | Uint8Array, ...rest: unknown[]) => {
      chunks.push(Buffer.from(chunk as string));
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    });
  return { written: () => Buffer.concat(chunks).toString(), restore: () => spy.mockRestore() };
}

/** The same with `--json`, its document parsed. */
export async function ivJson<T = never>(
  args: readonly string[],
  env: Record<string, string> = {},
  runIv = iv,
): Promise<T> {
  const { exitCode, stdout, stderr } = await runIv([...args, '--json'], env);
  if (exitCode !== 0) throw new Error(`iv ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
