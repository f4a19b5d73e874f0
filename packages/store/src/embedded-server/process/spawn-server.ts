import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Binaries } from '../binaries/locate-binaries.ts';
import type { ServerUser } from './choose-server-user.ts';
import { LOOPBACK } from './find-free-port.ts';
import { dataDirArgument, serverSpawnOptions } from './server-command.ts';

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
