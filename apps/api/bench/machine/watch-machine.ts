import { type MachineCpu, machineCpu } from './machine-cpu.ts';
import { treeCpuUs } from './process-cpu.ts';

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
