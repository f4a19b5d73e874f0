import { globSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { RUN_FOLDER_PREFIX } from '@insurance-verification/testing/run-folder';
import { locateBinaries } from '../binaries.ts';
import { EmbeddedServerError } from '../embedded-server-error.ts';
import { endPreviousServer } from '../launch-server.ts';
import { acquireOwnerLock } from '../owner-lock.ts';
import { isAlive } from '../server-process.ts';

/** Where servers are: the run's own, those of test files, and of services that they start. */
const SERVERS = '{*,*/*,*/*/*}/postgres';

/**
 * Removes the folders of killed test runs, and ends the servers in them. The process id in the name spares a run that
 * has created its folder but not yet locked a server; the locks decide the rest.
 * @param folder where the runs' folders are
 */
export async function removeDeadRuns(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(RUN_FOLDER_PREFIX)) continue;
    const pid = Number.parseInt(name.slice(RUN_FOLDER_PREFIX.length), 10);
    if (!(pid > 0) || isAlive(pid)) continue;
    await removeRun(path.join(folder, name)).catch((err: unknown) => {
      // Another run is clearing the same folder, or it belongs to another user of this machine.
      const isSomebodyElses = err instanceof EmbeddedServerError || (err instanceof Error && 'code' in err);
      if (!isSomebodyElses) throw err;
    });
  }
}

async function removeRun(run: string): Promise<void> {
  for (const server of globSync(SERVERS, { cwd: run })) await endServer(path.join(run, server));
  await rm(run, { recursive: true, force: true });
}

async function endServer(folder: string): Promise<void> {
  const lock = await acquireOwnerLock(folder);
  try {
    const clusterDir = path.join(folder, 'cluster');
    await endPreviousServer({ binaries: locateBinaries(), clusterDir, log: () => {} });
  } finally {
    lock.release();
  }
}
