import { readdirSync, readFileSync } from 'node:fs';
import { TICK_US } from './machine-cpu.ts';

/** CPU of one process in microseconds, since its start. */
export interface ProcessCpu {
  /** The thread that runs its JavaScript. */
  readonly mainUs: number;
  /** All its threads, ended ones included. */
  readonly allUs: number;
}

/** A process according to /proc/<pid>/stat. */
interface Stat {
  readonly parent: number;
  readonly ownUs: number;
  /** CPU of ended and awaited children, including their own. */
  readonly endedUs: number;
}

/** Null when /proc has no entry: on macOS, or for an ended process. */
export function processCpu(pid: number, procDir = '/proc'): ProcessCpu | null {
  const main = readStat(`${procDir}/${pid}/task/${pid}/stat`);
  const all = readStat(`${procDir}/${pid}/stat`);
  return main === null || all === null ? null : { mainUs: main.ownUs, allUs: all.ownUs };
}

/**
 * CPU in microseconds of processes and all their descendants. Ended ones count through their parent, so the sum never
 * decreases while a server's backends come and go. Null without /proc.
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
    return null; // gone in the meantime, or not Linux
  }
  // The command in parentheses may contain anything, even spaces and parentheses.
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
