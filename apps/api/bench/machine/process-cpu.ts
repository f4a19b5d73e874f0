import { readdirSync, readFileSync } from 'node:fs';
import { TICK_US } from './machine-cpu.ts';

/** CPU of one process in microseconds, since it began. */
export interface ProcessCpu {
  /** The thread that runs its JavaScript. */
  readonly mainUs: number;
  /** All its threads, those that ended too. */
  readonly allUs: number;
}

/** A process as /proc/<pid>/stat tells it. */
interface Stat {
  readonly parent: number;
  readonly ownUs: number;
  /** Of children that ended and were waited for, with theirs. */
  readonly endedUs: number;
}

/** Null where /proc does not tell: on macOS, or of a process that ended. */
export function processCpu(pid: number, procDir = '/proc'): ProcessCpu | null {
  const main = readStat(`${procDir}/${pid}/task/${pid}/stat`);
  const all = readStat(`${procDir}/${pid}/stat`);
  return main === null || all === null ? null : { mainUs: main.ownUs, allUs: all.ownUs };
}

/**
 * CPU in microseconds of processes and all that descend from them. Those that ended count through their parent, so the
 * sum never falls while a server's backends come and go. Null where there is no /proc.
 */
export function treeCpuUs(pids: readonly number[], procDir = '/proc'): number | null {
  const stats = readStats(procDir);
  if (stats.size === 0) return null;
  const isInTree = (pid: number): boolean => {
    const parent = stats.get(pid)?.parent;
    return pids.includes(pid) || (parent !== undefined && isInTree(parent));
  };
  let sum = 0;
  for (const [pid, { ownUs, endedUs }] of stats) if (isInTree(pid)) sum += ownUs + endedUs;
  return sum;
}

function readStats(procDir: string): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const pid of numbersIn(procDir)) {
    const stat = readStat(`${procDir}/${pid}/stat`);
    if (stat !== null) stats.set(pid, stat);
  }
  return stats;
}

function numbersIn(procDir: string): number[] {
  try {
    return readdirSync(procDir)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // not Linux
  }
}

function readStat(file: string): Stat | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null; // gone meanwhile, or not Linux
  }
  // The command in parentheses may hold anything, spaces and parentheses too.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    parent: fields[1] ?? 0,
    ownUs: (utime + stime) * TICK_US,
    endedUs: (cutime + cstime) * TICK_US,
  };
}
