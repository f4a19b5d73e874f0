import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from '../binaries/locate-binaries.ts';
import { endServer, isAlive, isServerOfCluster, readPostmasterFile } from './server-process.ts';

/**
 * Ends the server that a killed program left behind, and clears what would make PostgreSQL refuse the next one.
 * Only the holder of the owner lock may call it.
 *
 * A running server is ended rather than adopted: its backends may still hold row locks of the dead program, it may
 * have been started with other settings or binaries, and a server that is our own child reports its end. The fast
 * shutdown takes some 0.1 s; its checkpoint leaves nothing to recover.
 *
 * | postmaster.pid names                        | here                                            |
 * |---------------------------------------------|-------------------------------------------------|
 * | nothing, or a dead process                  | nothing: PostgreSQL sees that itself            |
 * | a server of this cluster, dying or well     | fast shutdown, waited for                       |
 * | a foreign process (reused id), or a zombie  | the file is removed: PostgreSQL would believe it |
 *
 * Removing the file takes no protection away: backends that outlive their killed postmaster are found by the shared
 * memory block, whose key is the cluster's inode, and the launch waits those out.
 */
export async function endPreviousServer(options: {
  binaries: Binaries;
  clusterDir: string;
  log: (message: string) => void;
}): Promise<void> {
  const { binaries, clusterDir, log } = options;
  const previous = readPostmasterFile(clusterDir);
  if (previous === null) return;
  if (isServerOfCluster(previous.pid, clusterDir)) {
    log(`Ending the embedded PostgreSQL (pid ${previous.pid}) that an earlier program left running.`);
    await endServer({
      binaries,
      pid: previous.pid,
      isGone: () => !isServerOfCluster(previous.pid, clusterDir),
    });
  }
  const remaining = readPostmasterFile(clusterDir);
  if (remaining !== null && isAlive(remaining.pid) && !isServerOfCluster(remaining.pid, clusterDir)) {
    await rm(path.join(clusterDir, 'postmaster.pid'), { force: true });
  }
}
