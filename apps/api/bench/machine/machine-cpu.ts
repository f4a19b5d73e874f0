import { readFileSync } from 'node:fs';

/** The whole machine's CPU in microseconds since it began, all cores together. */
export interface MachineCpu {
  readonly idleUs: number;
  /** What the host gave to other machines counts as busy: it was not there to be used. */
  readonly busyUs: number;
}

/** The kernel counts for programs in ticks of a hundredth of a second, on every architecture that node runs on. */
export const TICK_US = 10_000;

/** Null where there is no /proc. */
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
