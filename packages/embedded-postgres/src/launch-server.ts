import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import {
  endServer,
  findFreePort,
  isAlive,
  isServerOfCluster,
  readLog,
  readPostmasterFile,
  type ServerPlace,
  type ServerRun,
  spawnServer,
} from './server-process.ts';

interface LaunchOptions {
  log: (message: string) => void;
  /** Called with every run, including failing ones, before it is awaited. */
  onSpawn: (run: ServerRun) => void;
  /** False ends the attempts, after `stop()` was called. */
  isWanted: () => boolean;
  findPort?: () => Promise<number>;
  waitForPreviousMs?: number;
  /** Includes crash recovery, which reads at most `max_wal_size`, 1 GB. */
  readyWithinMs?: number;
}

/** ERRCODE_LOCK_FILE_EXISTS: another server's lock file or shared memory block is in use. */
const LOCK_FILE_EXISTS = 'F0001';

const ATTEMPTS_MAX = 3;

/**
 * Starts `postgres` and resolves when it accepts connections.
 *
 * A free port can only be guessed, since PostgreSQL opens it itself, so a failed start is retried on two more ports.
 * While processes of a killed server still hold the cluster (they need up to some seconds to notice), the start is
 * repeated.
 *
 * @throws EmbeddedServerError `start_failed`, with the end of the log; nothing runs then
 */
export async function launchServer(place: ServerPlace, options: LaunchOptions): Promise<ServerRun> {
  const { log, onSpawn, isWanted, findPort = findFreePort } = options;
  const heldUntil = Date.now() + (options.waitForPreviousMs ?? 30_000);
  let attemptsLeft = ATTEMPTS_MAX;
  for (;;) {
    await endPreviousServer({ binaries: place.binaries, clusterDir: place.clusterDir, log });
    const port = await findPort();
    if (!isWanted()) throw startFailed(place, 'it was stopped meanwhile', '');
    const run = spawnServer(place, port);
    onSpawn(run);
    if (await isReadyInTime(place, run, options.readyWithinMs ?? 120_000)) return run;

    const ownLog = readLog(place).subarray(run.logStart).toString();
    if (ownLog.includes(` ${LOCK_FILE_EXISTS} `) && Date.now() < heldUntil) {
      await delay(100);
      continue;
    }
    attemptsLeft -= 1;
    if (attemptsLeft === 0) throw startFailed(place, `it ended before it was ready (${run.ended})`, ownLog);
  }
}

/** False when the run ended first. */
async function isReadyInTime(place: ServerPlace, run: ServerRun, readyWithinMs: number): Promise<boolean> {
  const deadline = Date.now() + readyWithinMs;
  while (run.ended === null) {
    const file = readPostmasterFile(place.clusterDir);
    if (file?.pid === run.pid && file.isReady) return true;
    if (Date.now() >= deadline) {
      const ownLog = readLog(place).subarray(run.logStart).toString();
      await endServer({ binaries: place.binaries, pid: run.pid, isGone: () => run.ended !== null });
      throw startFailed(place, `it was not ready within ${readyWithinMs / 1000} s`, ownLog);
    }
    await delay(10);
  }
  await run.whenEnded;
  return false;
}

function startFailed(place: ServerPlace, what: string, ownLog: string): EmbeddedServerError {
  const tail = ownLog.trimEnd().split('\n').slice(-15).join('\n');
  return new EmbeddedServerError(
    'start_failed',
    `The embedded PostgreSQL in ${path.dirname(place.clusterDir)} did not start: ${what}. The end of its log, ${place.logFile}:\n${tail}`,
  );
}

export interface RunningServer {
  readonly pid: number;
  /** The port, once the first run accepts connections. Rejects when that run fails; then no server runs. */
  whenReady: Promise<number>;
  /** Ends the current run, ready or not, and prevents further ones. */
  stop(): Promise<void>;
}

const RELAUNCH_DELAY_MS_MAX = 10_000;

/**
 * Runs the server and restarts it on the same port when it dies, for example by the kernel's out-of-memory killer.
 * Otherwise the program would answer 503 until somebody restarts it; this way its connections fail and recover.
 */
export function keepServerRunning(place: ServerPlace, log: (message: string) => void): RunningServer {
  let current: ServerRun | null = null;
  let isStopping = false;
  const options = {
    log,
    isWanted: () => !isStopping,
    onSpawn: (run: ServerRun) => {
      current = run;
    },
  };

  const first = launchServer(place, options);
  // The caller reports a failed first launch.
  first.then(relaunchWheneverItEnds, () => {});

  async function relaunchWheneverItEnds(run: ServerRun): Promise<void> {
    await run.whenEnded;
    if (isStopping) return;
    log(`The embedded PostgreSQL (pid ${run.pid}) ended unasked: ${run.ended}. Starting it again.`);
    const next = await relaunch(run.port);
    if (next !== null) return relaunchWheneverItEnds(next);
  }

  /** Null when the program has stopped the server meanwhile. */
  async function relaunch(port: number): Promise<ServerRun | null> {
    for (let delayMs = 250; ; delayMs = Math.min(delayMs * 2, RELAUNCH_DELAY_MS_MAX)) {
      try {
        return await launchServer(place, { ...options, findPort: () => Promise.resolve(port) });
      } catch (err) {
        if (isStopping) return null;
        log(err instanceof Error ? err.message : String(err));
        await delay(delayMs, undefined, { ref: false });
      }
    }
  }

  return {
    get pid() {
      return current?.pid ?? 0;
    },
    whenReady: first.then((run) => run.port),
    async stop() {
      isStopping = true;
      const run = current;
      if (run === null) return;
      await endServer({ binaries: place.binaries, pid: run.pid, isGone: () => run.ended !== null });
    },
  };
}

/**
 * Ends the server that a killed program left running, and clears what would make PostgreSQL refuse to start. Only the
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
