import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inherited, runSource } from './run-source.ts';

const program = new URL('../src/main.js', import.meta.url);

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

/** Starts `iv` as a separate process. */
export function startIv(args: readonly string[], env: Record<string, string> = {}): Cli {
  return spawn(process.execPath, [...runSource(program), ...args], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `iv` as a separate process to its end. */
export async function iv(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = startIv(args, env);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}

/** The same with `--json`, its document parsed. */
export async function ivJson<T = never>(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<T> {
  const { exitCode, stdout, stderr } = await iv([...args, '--json'], env);
  if (exitCode !== 0) throw new Error(`iv ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
