import { lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ServerUser } from '../process/choose-server-user.ts';

/** Gives a cluster owned by root, as after a restored backup, to the user that the server will run as. */
export function giveClusterToUser(clusterDir: string, user: ServerUser): void {
  if (user === null || statSync(clusterDir).uid === user.uid) return;
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(clusterDir, name), user.uid, user.gid);
  }
  // Last, because its owner marks the rest as done.
  lchownSync(clusterDir, user.uid, user.gid);
}
