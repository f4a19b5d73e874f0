import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inherited, runSource } from './run-source.ts';

const program = new URL('../src/main.ts', import.meta.url);

/** What one run of `iv` left. */
export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Cli = ChildProcessByStdio<null, Readable, Readable>;

/** The environment that names a service and a key; nothing else of this machine's goes in. */
export const naming = ({ url, apiKey }: { url: string; apiKey: string }) => ({
  IV_URL: url,
  IV_API_KEY: apiKey,
});

/** `iv` as its own process, still running. */
export function startIv(args: readonly string[], env: Record<string, string> = {}): Cli {
  return spawn(process.execPath, [...runSource(program), ...args], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** `iv` as its own process, to its end. */
export async function iv(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = startIv(args, env);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}

/** The same with `--json`, its one document read. */
export async function ivJson<T = never>(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<T> {
  const { exitCode, stdout, stderr } = await iv([...args, '--json'], env);
  if (exitCode !== 0) throw new Error(`iv ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
