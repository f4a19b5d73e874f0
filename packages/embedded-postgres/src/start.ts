import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { locateBinaries, type Binaries, reachableBinaries } from './binaries.ts';
import {
  DATABASE_NAME,
  ensureDatabase,
  initialiseCluster,
  refuseOtherVersion,
  type ClusterMark,
  readMark,
} from './cluster.ts';
import { keepServerRunning, type RunningServer } from './launch-server.ts';
import { makeServerFolder } from './make-folder.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { makePassword, readPassword, renewPassword } from './password.ts';
import { isServerOfCluster, LOOPBACK, readPostmasterFile } from './server-process.ts';
import { giveClusterToUser, chooseServerUser } from './user.ts';

/** A PostgreSQL 18 owned by this program. */
export interface EmbeddedServer {
  /** Database and role `insurance_verification`, over TCP on loopback; constant for the life of this object. */
  readonly connectionString: string;
  /** The postmaster's process id; it changes when the server is restarted after an unexpected end. */
  readonly pid: number;
  /**
   * Ends the server and releases the data directory. Resolves when the server is gone; further calls wait for the same
   * end.
   */
  stop(): Promise<void>;
}

export interface StartServerOptions {
  /** Created if missing. The server keeps everything in its subfolder `postgres`. */
  dataDir: string;
  /** Left in a new cluster, and checked before a server starts on one that is there. */
  mark?: ClusterMark;
  /**
   * Called once this program owns the folder, before anything is made or started in it; an error it throws aborts the
   * start.
   */
  beforeStart?: () => Promise<void>;
  /** Gets one human-readable line at a time: what was found and done. Never a password. */
  log?: (message: string) => void;
  /**
   * PostgreSQL settings that override the defaults, such as `{ fsync: 'off' }` for a database that lives as long as a
   * test.
   */
  settings?: Record<string, string>;
  /** Used instead of the installed package's binaries. */
  binaries?: Binaries;
}

/**
 * Starts PostgreSQL 18 on `dataDir` and resolves when its database accepts connections: after one to two seconds on an
 * empty folder (`initdb` takes 0.8 of them), and after 0.1 later on.
 *
 * The server runs in its own session, without exit hooks: it lives until `stop()` and outlives a killed program, whose
 * next start ends it and continues with its data.
 *
 * @throws EmbeddedServerError `already_owned` while another living program uses `dataDir`; its other codes otherwise
 */
export async function startServer(options: StartServerOptions): Promise<EmbeddedServer> {
  const { dataDir, mark, log = () => {}, settings = {} } = options;
  const installed = options.binaries ?? locateBinaries();
  const folder = makeServerFolder(dataDir);
  const clusterDir = path.join(folder, 'cluster');
  const passwordFile = path.join(folder, 'password');
  const logFile = path.join(folder, 'server.log');

  const lock = await acquireOwnerLock(folder);
  let server: RunningServer | null = null;
  try {
    await options.beforeStart?.();
    const user = chooseServerUser({ clusterDir });
    const binaries = reachableBinaries(installed, user);
    const isNew = !existsSync(clusterDir);
    let password: string;
    if (isNew) {
      password = makePassword(passwordFile);
      log(`Making a new database in ${folder}.`);
      const isDurable = settings['fsync'] !== 'off';
      await initialiseCluster({ binaries, clusterDir, user, password, mark, isDurable });
    } else {
      refuseOtherVersion(clusterDir);
      mark?.check(readMark(clusterDir, mark), `The database in ${folder}`);
      giveClusterToUser(clusterDir, user);
      password =
        readPassword(passwordFile) ??
        (await renewPassword({ binaries, clusterDir, user, passwordFile, settings, log }));
    }
    if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`);
    server = keepServerRunning({ binaries, clusterDir, logFile, user, settings }, log);
    const port = await server.whenReady;
    await ensureDatabase({ port, password, passwordFile });

    const running = server;
    let stopped: Promise<void> | null = null;
    return {
      connectionString: `postgres://${DATABASE_NAME}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`,
      get pid() {
        return running.pid;
      },
      stop: () => (stopped ??= running.stop().finally(() => lock.release())),
    };
  } catch (err) {
    await server?.stop();
    lock.release();
    throw err;
  }
}

/**
 * The address of the embedded server that another program runs on `dataDir`, password included; undefined when none
 * runs there.
 */
export function findServer(dataDir: string): string | undefined {
  const folder = path.resolve(dataDir, 'postgres');
  const clusterDir = path.join(folder, 'cluster');
  const running = readPostmasterFile(clusterDir);
  if (running === null || !running.isReady || !isServerOfCluster(running.pid, clusterDir)) return undefined;
  const password = readFileSync(path.join(folder, 'password'), 'utf8').trim();
  return `postgres://${DATABASE_NAME}:${password}@${LOOPBACK}:${running.port}/${DATABASE_NAME}`;
}
