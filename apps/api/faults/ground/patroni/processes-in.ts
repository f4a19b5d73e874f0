import { readdirSync, readlinkSync } from 'node:fs';
import { until } from '@insurance-verification/testing/until';

/**
 * The processes that work in a folder or below it, from /proc: also those whose parent is gone, as a PostgreSQL's after
 * its Patroni was killed.
 */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isIn(folder, workingFolderOf(pid)))
    .map(Number);
}

/** Sends a signal to each of them that is still there. */
export function signalProcessesIn(folder: string, signal: NodeJS.Signals): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended meanwhile
    }
  }
}

/** Kills them, and whatever they start meanwhile. */
export async function killProcessesIn(folder: string): Promise<void> {
  await until(`nothing runs in ${folder}`, () => {
    signalProcessesIn(folder, 'SIGKILL');
    return processesIn(folder).length === 0;
  });
}

const isIn = (folder: string, place: string | null) =>
  place === folder || place?.startsWith(`${folder}/`) === true;

/** Null for a process that has ended, or is somebody else's. */
function workingFolderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
