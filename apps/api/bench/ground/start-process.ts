import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startFlags } from '../../test/start-flags.ts';

/** A child process that has said where it listens. */
export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the spawn until it said so. */
  readonly startMs: number;
  /** Resident memory at its highest, in MB; NaN where /proc does not tell. */
  peakMemoryMb(): number;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
const told = new WeakSet<ChildProcess>();
let isOver = false;

/** The service's own program. */
export const SERVICE = 'src/main.ts';

/** Runs a program of this folder's application, in node or in Python, and waits for its address on stdout or stderr. */
export async function startProcess(file: string, env: Record<string, string>): Promise<RunningProcess> {
  if (isOver) throw new Error('The bench has ended.');
  const startedAt = performance.now();
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const isPython = file.endsWith('.py');
  const child = spawn(isPython ? 'python3' : process.execPath, isPython ? [path] : [...startFlags, path], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // of a Ctrl-C it would hear beside being told to stop
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = await addressOf(child);
  // Logs are written, as in production, and thrown away: a pipe that nobody reads would stop the process.
  child.stdout.resume();
  child.stderr.resume();
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    peakMemoryMb: () => peakMemoryMb(child.pid ?? 0),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Stops whatever a measurement that failed, or was broken off, has left running, and lets it start no more. */
export async function stopProcesses(): Promise<void> {
  isOver = true;
  await Promise.all([...running].map((child) => end(child, 'SIGTERM')));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Told twice to stop, it would end where it stands and leave its database.
  if (signal === 'SIGKILL' || !told.has(child)) child.kill(signal);
  told.add(child);
  await ended;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (!url) return;
      // Searched on, the growing log would cost this process more CPU than the service takes for a request.
      child.stdout?.off('data', read);
      child.stderr?.off('data', read);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}: ${text.slice(-2_000)}`)));
  });
}

function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN; // not Linux
  }
}
