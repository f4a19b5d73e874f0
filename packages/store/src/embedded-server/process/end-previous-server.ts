import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from '../binaries/locate-binaries.ts';
import { endServer, isAlive, isServerOfCluster, readPostmasterFile } from './server-process.ts';

/**
 * Ends the server that a killed program left behind, and clears what would make PostgreSQL refuse to start. Only the
 * holder of the owner lock may call it.
 *
 * A running server is ended rather than adopted: its backends may still hold the dead program's row locks, it may run
 * with other settings or binaries, and only a child process reports its end. The fast shutdown takes some 0.1 s; its
 * checkpoint leaves nothing to recover.
 *
 * | postmaster.pid names                        | action                                          |
 * |---------------------------------------------|-------------------------------------------------|
 * | nothing, or a dead process                  | none: PostgreSQL detects that itself            |
 * | a server of this cluster, dying or well     | fast shutdown, and a wait for its end           |
 * | a foreign process (reused id), or a zombie  | the file is removed: PostgreSQL would believe it |
 *
 * Removing the file costs no protection: backends that outlive their killed postmaster are detected by the shared
 * memory block, whose key is the cluster's inode, and the launch waits for them to end.
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
