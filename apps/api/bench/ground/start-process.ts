import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startFlags } from '@insurance-verification/testing/start-flags';
import {
  type StartedProcess,
  startProcess as startLogging,
} from '@insurance-verification/testing/start-process';

/** A child process that has logged its address. */
export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the spawn to that log line. */
  readonly startMs: number;
  /** Peak resident memory in MB; NaN without /proc. */
  peakMemoryMb(): number;
  stop(): Promise<unknown>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const started = new Set<Promise<StartedProcess>>();
let isOver = false;

/** The service's own program. */
export const SERVICE = 'src/main.js';

/** Node or Python with its arguments. */
export type Command = readonly [string, ...string[]];

/** Runs a program of this application, in node or Python, or another one's command; waits until it has logged its address. */
export async function startProcess(
  program: string | Command,
  env: Record<string, string>,
): Promise<RunningProcess> {
  if (isOver) throw new Error('The bench has ended.');
  const startedAt = performance.now();
  const command = typeof program === 'string' ? commandOf(program) : program;
  const starting = startLogging(command, env, { detached: true });
  started.add(starting);
  const running = await starting;
  return {
    url: running.url,
    pid: running.pid,
    startMs: performance.now() - startedAt,
    peakMemoryMb: () => peakMemoryMb(running.pid),
    stop: running.stop,
    kill: running.kill,
  };
}

function commandOf(file: string): Command {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  return file.endsWith('.py') ? ['python3', path] : [process.execPath, ...startFlags, path];
}

/** Stops every process that a failed or interrupted measurement left running, and prevents new ones. */
export async function stopProcesses(): Promise<void> {
  isOver = true;
  await Promise.allSettled([...started].map(async (starting) => (await starting).stop()));
}

function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN; // not Linux
  }
}
