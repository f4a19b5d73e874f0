/** Microseconds of CPU of a measurement, or of one operation. */
export interface CpuUs {
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
}

/** Microseconds per operation: node's, its main thread's share, and PostgreSQL's, if /proc has them. */
export function cpuEach(cpu: CpuUs | null, count: number): string {
  if (cpu === null || Number.isNaN(cpu.allUs)) return 'not told';
  const each = (us: number) => Math.round(us / count).toLocaleString('en');
  return `${each(cpu.allUs)} (main ${each(cpu.mainUs)}) + ${each(cpu.postgresUs)} µs`;
}
