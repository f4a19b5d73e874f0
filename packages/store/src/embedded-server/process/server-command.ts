import type { SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ServerUser } from './choose-server-user.ts';

/**
 * The spawn options for PostgreSQL programs, `initdb` and `postgres` alike.
 *
 * - A separate session: a Ctrl-C or a TERM to the program's group does not reach the server; the program decides when
 *   it ends.
 * - None of the program's environment, which holds encryption and API keys; and `LC_ALL=C`, so messages, sorting and
 *   macOS start-up do not depend on the caller.
 */
export function serverSpawnOptions(clusterDir: string, user: ServerUser): SpawnOptions {
  const { PATH, SystemRoot } = process.env;
  return {
    cwd: clusterDir,
    detached: true,
    windowsHide: true,
    env: {
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(PATH === undefined ? {} : { PATH }),
      ...(SystemRoot === undefined ? {} : { SystemRoot }),
    },
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  };
}

/**
 * The cluster's path as the server must use it.
 *
 * PostgreSQL opens its files by absolute path, which fails for an unprivileged server below a folder closed to it, such
 * as a checkout in /root. Linux offers an absolute path that crosses no folder: /proc/self/cwd. The child enters the
 * cluster while it is still root (libuv changes the directory before the uid), and every process the server forks keeps
 * that working directory. So the cluster stays in DATA_DIR, where a volume or a backup expects it. Rejected: a folder
 * under /var/lib, which is lost with a container and outlives a removed DATA_DIR; and opening the parent folders to
 * everybody.
 */
export function dataDirArgument(clusterDir: string, user: ServerUser): string {
  return user !== null && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : clusterDir;
}
