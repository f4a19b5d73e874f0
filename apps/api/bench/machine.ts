import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { medianOf } from './report.ts';

/** The whole machine's CPU time in microseconds since boot, all cores together. */
export interface MachineCpu {
  readonly idleUs: number;
  /** Includes time that the host gave to other machines: it was not available. */
  readonly busyUs: number;
}

/** The kernel reports CPU in ticks of a hundredth of a second on every architecture that node runs on. */
const TICK_US = 10_000;

/** Null without /proc. */
export function machineCpu(procDir = '/proc'): MachineCpu | null {
  let text: string;
  try {
    text = readFileSync(`${procDir}/stat`, 'utf8');
  } catch {
    return null; // not Linux
  }
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  return {
    idleUs: (idle + iowait) * TICK_US,
    busyUs: (user + nice + system + irq + softirq + steal) * TICK_US,
  };
}

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

/** How a span of the machine's time was shared. */
export interface MachineShare {
  readonly idleShare: number;
  /** The share of all cores taken by processes outside the bench, or by the host. */
  readonly othersShare: number;
}

/**
 * Watches the machine from now on. The bench's own share is its process, everything it started, and PostgreSQL; the
 * rest of the busy time is others'. The result is null without /proc.
 */
export function watchMachine(postmasterPid: number | null, procDir = '/proc'): () => MachineShare | null {
  const roots = postmasterPid === null ? [process.pid] : [process.pid, postmasterPid];
  const look = () => ({ machine: machineCpu(procDir), ownUs: treeCpuUs(roots, procDir) });
  const before = look();
  return () => {
    const after = look();
    if (before.machine === null || after.machine === null) return null;
    return shareOf(before.machine, after.machine, (after.ownUs ?? 0) - (before.ownUs ?? 0));
  };
}

function shareOf(before: MachineCpu, after: MachineCpu, ownUs: number): MachineShare {
  const idleUs = after.idleUs - before.idleUs;
  const busyUs = after.busyUs - before.busyUs;
  const wholeUs = Math.max(idleUs + busyUs, 1);
  return { idleShare: idleUs / wholeUs, othersShare: Math.max(busyUs - ownUs, 0) / wholeUs };
}

/** The CPU cost of a measurement, in microseconds. */
export interface Usage extends MachineShare {
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
}

/** CPU of one process and of all of PostgreSQL from now on, and the machine's share. Null without /proc. */
export function measureUsage(pid: number, postmasterPid: number): () => Usage | null {
  const look = (): [ProcessCpu | null, number | null] => [processCpu(pid), treeCpuUs([postmasterPid])];
  const shareSince = watchMachine(postmasterPid);
  const [cpuBefore, postgresBefore] = look();
  return () => {
    const [cpu, postgres] = look();
    const share = shareSince();
    if (cpuBefore === null || postgresBefore === null) return null;
    if (cpu === null || postgres === null || share === null) return null;
    return {
      ...share,
      mainUs: cpu.mainUs - cpuBefore.mainUs,
      allUs: cpu.allUs - cpuBefore.allUs,
      postgresUs: postgres - postgresBefore,
    };
  };
}

const COUNT = 200;

/**
 * The median of milliseconds to write and sync one page, as a commit does. It reveals hours of slow disks: in them the
 * floor loses more than the service, whose requests share commits, and the ratio flatters.
 */
export function measureFsync(folder: string): number {
  const page = Buffer.alloc(8_192, 'x');
  const file = openSync(join(folder, 'fsync'), 'w');
  const times: number[] = [];
  for (let index = 0; index < COUNT; index += 1) {
    const startedAt = performance.now();
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    times.push(performance.now() - startedAt);
  }
  closeSync(file);
  return medianOf(times);
}
