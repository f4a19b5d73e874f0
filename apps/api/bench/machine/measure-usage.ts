import { type ProcessCpu, processCpu, treeCpuUs } from './process-cpu.ts';
import { type MachineShare, watchMachine } from './watch-machine.ts';

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
