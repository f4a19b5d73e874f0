import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from '../binaries/locate-binaries.ts';

/** The contents of `postmaster.pid`, which the running server writes into its cluster. */
export interface PostmasterFile {
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
