import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError } from '../embedded-server-error.ts';
import { endPreviousServer } from './end-previous-server.ts';
import { findFreePort } from './find-free-port.ts';
import { endServer, readPostmasterFile } from './server-process.ts';
import { readLog, spawnServer, type ServerPlace, type ServerRun } from './spawn-server.ts';

export interface LaunchOptions {
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
