import { readFileSync } from 'node:fs';

/** The whole machine's CPU time in microseconds since boot, all cores together. */
export interface MachineCpu {
  readonly idleUs: number;
  /** Includes time that the host gave to other machines: it was not available. */
  readonly busyUs: number;
}

/** The kernel reports CPU in ticks of a hundredth of a second on every architecture that node runs on. */
export const TICK_US = 10_000;

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
