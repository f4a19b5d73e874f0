import { execFile, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { ServerUser } from './user.ts';

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

/**
 * TCP on loopback rather than a Unix socket: a socket's path is limited to 107 bytes, which a deep checkout exceeds,
 * and a TCP address works in every client and on Windows.
 */
export const LOOPBACK = '127.0.0.1';

/** A loopback port that was free a moment ago; another process may take it before its use. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}

/** The contents of `postmaster.pid`, which the running server writes into its cluster. */
interface PostmasterFile {
  pid: number;
  port: number;
  isReady: boolean;
}

/** Null when there is no file, or while it is being written. */
export function readPostmasterFile(clusterDir: string): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' } : null;
}

/**
 * Whether `pid` is a PostgreSQL server running in this cluster, rather than dead, a zombie whose parent does not reap
 * it, or a foreign process with a reused id. Signals go only to confirmed servers.
 */
export function isServerOfCluster(pid: number, clusterDir: string): boolean {
  if (process.platform === 'linux') {
    try {
      // The server's working directory is always its cluster; a zombie has none.
      const standsIn = statSync(`/proc/${pid}/cwd`);
      const cluster = statSync(clusterDir);
      const program = path.basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
      return standsIn.dev === cluster.dev && standsIn.ino === cluster.ino && program === 'postgres';
    } catch {
      return false;
    }
  }
  if (process.platform === 'win32') return isAlive(pid);
  const ps = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 && !ps.stdout.startsWith('Z') && ps.stdout.includes(clusterDir);
}

type ShutdownSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

/** SIGINT: fast (roll back, disconnect, checkpoint). SIGQUIT: immediate (recovery at the next start). */
function signalServer(binaries: Binaries, pid: number, signal: ShutdownSignal): void {
  if (process.platform === 'win32') {
    // On Windows, Node can only terminate; pg_ctl uses the server's own signal pipe, which no foreign process has.
    execFile(binaries.pgCtl, ['kill', signal.slice(3), String(pid)], () => {});
    return;
  }
  if (pid <= 0) return; // never spawned; to kill(), 0 would mean this program's own group
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, as intended; the caller waits on its own condition.
  }
}

/**
 * Ends a server and resolves when `isGone()`: fast first, immediate after ten seconds, by force after ten more. A fast
 * shutdown takes that long only when a checkpoint meets a slow disk or a backend is stuck in the kernel.
 */
export async function endServer(options: {
  binaries: Binaries;
  pid: number;
  isGone: () => boolean;
  escalateAfterMs?: number;
}): Promise<void> {
  const { binaries, pid, isGone, escalateAfterMs = 10_000 } = options;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (isGone()) return;
    signalServer(binaries, pid, signal);
    const deadline = Date.now() + escalateAfterMs;
    while (Date.now() < deadline) {
      if (isGone()) return;
      await delay(10);
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}

/** The server to run and its place. */
export interface ServerPlace {
  binaries: Binaries;
  clusterDir: string;
  logFile: string;
  user: ServerUser;
  /** Override the defaults below. */
  settings: Record<string, string>;
}

/** One run of `postgres` since its spawn; it may not be ready yet. */
export interface ServerRun {
  pid: number;
  port: number;
  /** Null while it runs; then the reason it ended, as text. */
  ended: string | null;
  whenEnded: Promise<void>;
  /** The log's length at the spawn: later lines are about this run. */
  logStart: number;
}

const defaultSettings: Record<string, string> = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The state (%e) distinguishes a launch "still held by a dying server" from other failures.
  log_line_prefix: '%m [%p] %e ',
  // A refused statement, its values and its error text can hold patient data, so only server events are logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_lock_waits: 'off',
  log_autovacuum_min_duration: '-1',
};

/** Starts `postgres` and returns at once. */
export function spawnServer(place: ServerPlace, port: number): ServerRun {
  const settings = { ...defaultSettings, ...place.settings, port: String(port) };
  const logStart = readLog(place).length;
  const log = openSync(place.logFile, 'a', 0o600);
  try {
    const child = spawn(
      place.binaries.postgres,
      [
        '-D',
        dataDirArgument(place.clusterDir, place.user),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // The log is passed as an open file: the server's user may not be able to reach it. Nothing else is inherited, so
      // readers of the program's output see it end with the program.
      { ...serverSpawnOptions(place.clusterDir, place.user), stdio: ['ignore', log, log] },
    );
    const { promise: whenEnded, resolve } = Promise.withResolvers<void>();
    const ended = child.pid === undefined ? 'it could not be run' : null;
    const run: ServerRun = { pid: child.pid ?? 0, port, ended, whenEnded, logStart };
    const end = (how: string) => {
      run.ended = how;
      resolve();
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal ?? `exit ${code}`));
    child.unref();
    return run;
  } finally {
    closeSync(log);
  }
}

/** The log is small: every start of the program begins a new one, and it contains no statements. */
export function readLog(place: ServerPlace): Buffer {
  try {
    return readFileSync(place.logFile);
  } catch {
    return Buffer.alloc(0);
  }
}
