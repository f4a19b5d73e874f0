import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerUser } from './choose-server-user.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import type { Binaries } from './locate-binaries.ts';
import { dataDirArgument, serverSpawnOptions } from './server-command.ts';
import { readPostmasterFile } from './server-process.ts';

export type ServerPlace = {
  binaries: Binaries;
  clusterDir: string;
  logFile: string;
  user: ServerUser;
  settings: Record<string, string>;
};

/** One run of `postgres`, from its spawn on; it may not be ready yet. */
export type ServerRun = {
  pid: number;
  port: number;
  /** Null while it runs; then what ended it, in words. */
  ended: string | null;
  whenEnded: Promise<void>;
  /** Length of the log when it was spawned: what follows is about this run. */
  logStart: number;
};

/**
 * TCP on loopback rather than a Unix socket: a socket's path ends at 107 bytes, which a checkout deep in a home
 * folder exceeds, and the connection string then works in every client and on Windows.
 */
const loopback = '127.0.0.1';

const settingsForALaptop: Record<string, string> = {
  listen_addresses: loopback,
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The state (%e) is how a launch tells "still held by a dying server" from other failures.
  log_line_prefix: '%m [%p] %e ',
  // A refused statement, its values and its error text can hold patient data: the log takes the server's own life only.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_lock_waits: 'off',
  log_autovacuum_min_duration: '-1',
};

/** Starts `postgres` and returns at once; `waitUntilReady` follows it up. */
export function spawnServer(place: ServerPlace, port: number): ServerRun {
  const settings = { ...settingsForALaptop, ...place.settings, port: String(port) };
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
      // The log is handed over open: it may lie where the server's user cannot go. Nothing else is inherited.
      { ...serverSpawnOptions(place.clusterDir, place.user), stdio: ['ignore', log, log] },
    );
    const { promise: whenEnded, resolve } = Promise.withResolvers<void>();
    const run: ServerRun = { pid: child.pid ?? 0, port, ended: null, whenEnded, logStart };
    const end = (how: string) => {
      run.ended ??= how;
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

/** False when the run ended before it was ready. Crash recovery counts as getting ready. */
export async function waitUntilReady(
  place: ServerPlace,
  run: ServerRun,
  deadlineMs = 120_000,
): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  while (run.ended === null) {
    const file = readPostmasterFile(place.clusterDir);
    if (file?.pid === run.pid && file.isReady) return true;
    if (Date.now() > deadline) throw startFailed(place, run, `it was not ready within ${deadlineMs / 1000} s`);
    await delay(10);
  }
  return false;
}

/**
 * Starts `postgres` and resolves when it accepts connections.
 *
 * A free port can only be guessed, since PostgreSQL opens it itself: a start that fails is tried on two more. While
 * processes of a killed server still hold the cluster (they need up to some seconds to notice), it is tried again.
 *
 * @param onSpawn gets every run, also the failing ones, before it is awaited
 * @throws EmbeddedServerError `start_failed`, with the end of the log
 */
export async function launchServer(
  place: ServerPlace,
  options: {
    port?: number;
    onSpawn?: (run: ServerRun) => void;
    isWanted?: () => boolean;
    waitForPreviousMs?: number;
  } = {},
): Promise<ServerRun> {
  const deadline = Date.now() + (options.waitForPreviousMs ?? 30_000);
  let attemptsLeft = options.port === undefined ? 3 : 1;
  for (;;) {
    const run = spawnServer(place, options.port ?? (await findFreePort()));
    options.onSpawn?.(run);
    if (await waitUntilReady(place, run)) return run;
    if (options.isWanted?.() === false) throw startFailed(place, run, 'it was stopped meanwhile');
    const isHeldByPrevious = readLog(place).subarray(run.logStart).includes(` ${lockFileExists} `);
    if (isHeldByPrevious && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    attemptsLeft -= 1;
    if (attemptsLeft === 0) throw startFailed(place, run, `it ended at once (${run.ended})`);
  }
}

/** ERRCODE_LOCK_FILE_EXISTS: another server's lock file or shared memory block is in use. */
const lockFileExists = 'F0001';

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, loopback, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}

function startFailed(place: ServerPlace, run: ServerRun, what: string): EmbeddedServerError {
  const tail = readLog(place).subarray(run.logStart).toString().trimEnd().split('\n').slice(-15).join('\n');
  return new EmbeddedServerError(
    'start_failed',
    `The embedded PostgreSQL on ${path.dirname(place.clusterDir)} did not start: ${what}. The end of its log, ${place.logFile}:\n${tail}`,
  );
}

function readLog(place: ServerPlace): Buffer {
  try {
    return readFileSync(place.logFile);
  } catch {
    return Buffer.alloc(0);
  }
}
