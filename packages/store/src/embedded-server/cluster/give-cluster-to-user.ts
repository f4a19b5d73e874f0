import { lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ServerUser } from '../process/choose-server-user.ts';

/** Gives a cluster that root owns, as after a restored backup, to the user the server will run as. */
export function giveClusterToUser(clusterDir: string, user: ServerUser): void {
  if (user === null || statSync(clusterDir).uid === user.uid) return;
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(clusterDir, name), user.uid, user.gid);
  }
  // Last, since its owner is what tells that the rest is done.
  lchownSync(clusterDir, user.uid, user.gid);
}
