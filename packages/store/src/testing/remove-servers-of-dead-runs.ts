import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { locateBinaries } from '../embedded-server/binaries/locate-binaries.ts';
import { acquireOwnerLock } from '../embedded-server/cluster/owner-lock.ts';
import { EmbeddedServerError } from '../embedded-server/embedded-server-error.ts';
import { endPreviousServer } from '../embedded-server/process/end-previous-server.ts';
import { isAlive } from '../embedded-server/process/server-process.ts';

/** Followed by the run's process id. */
export const TEST_FOLDER_PREFIX = 'insurance-verification-tests-';

/**
 * Ends and removes the servers of killed test runs. The process id in the name spares a run that has created its folder
 * but not yet locked it; the lock decides the rest.
 */
export async function removeServersOfDeadRuns(folder: string = os.tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEST_FOLDER_PREFIX)) continue;
    const pid = Number.parseInt(name.slice(TEST_FOLDER_PREFIX.length), 10);
    if (!(pid > 0) || isAlive(pid)) continue;
    await removeServer(path.join(folder, name)).catch((err: unknown) => {
      // Another run is clearing the same folder, or it belongs to another user of this machine.
      const isSomebodyElses = err instanceof EmbeddedServerError || (err instanceof Error && 'code' in err);
      if (!isSomebodyElses) throw err;
    });
  }
}

async function removeServer(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'postgres');
  const lock = await acquireOwnerLock(folder);
  try {
    const clusterDir = path.join(folder, 'cluster');
    await endPreviousServer({ binaries: locateBinaries(), clusterDir, log: () => {} });
    await rm(dataDir, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
