import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isServerOfCluster, readPostmasterFile } from '@insurance-verification/embedded-postgres';
import { until } from '@insurance-verification/testing/until';
import { aFolder } from '../a-folder.ts';

const clusterOf = (dataDir: string) => join(dataDir, 'postgres', 'cluster');

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
    const pid = readPostmasterFile(clusterOf(dataDir))?.pid;
    if (pid === undefined || !isServerOfCluster(pid, clusterOf(dataDir))) return;
    process.kill(pid, 'SIGQUIT');
    await until('the server left behind has ended', () => !isServerOfCluster(pid, clusterOf(dataDir)));
  });
}

/** The process id of the embedded server on a data folder. */
export function postmasterPid(dataDir: string): number {
  const running = readPostmasterFile(clusterOf(dataDir));
  if (!running) throw new Error(`No server runs on ${dataDir}.`);
  return running.pid;
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
