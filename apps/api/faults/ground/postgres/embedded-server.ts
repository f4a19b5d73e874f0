import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@insurance-verification/testing/until';
import { aFolder } from '../a-folder.ts';

/** A data folder that is removed after the row. */
export function aDataDir(stack: AsyncDisposableStack): string {
  const dataDir = aFolder(stack);
  endServerWith(stack, dataDir);
  return dataDir;
}

/**
 * Stops the server that a killed program left behind, after the row. Call it before the program starts, so that it runs
 * last.
 */
export function endServerWith(stack: AsyncDisposableStack, dataDir: string): void {
  stack.defer(async () => {
    if (!existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))) return;
    const pid = postmasterPid(dataDir);
    if (!isAlive(pid)) return;
    process.kill(pid, 'SIGQUIT');
    await until('the server left behind has ended', () => !isAlive(pid));
  });
}

const postmasterFile = (dataDir: string) =>
  readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');

/** The process id of the embedded server on a data folder. */
export function postmasterPid(dataDir: string): number {
  return Number(postmasterFile(dataDir)[0]);
}

/** The embedded database's address, to inspect it without the service. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim();
  const port = postmasterFile(dataDir)[3];
  return `postgres://insurance_verification:${password}@127.0.0.1:${port}/insurance_verification`;
}

/** A process and its children, from /proc; elsewhere only the process, whose children then end by themselves. */
export function processTree(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

function parentOf(name: string): number | null {
  try {
    // The command in parentheses may contain anything, even spaces.
    const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(/\) /).at(-1)?.split(' ') ?? [];
    return Number(parent);
  } catch {
    return null; // gone in the meantime
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
