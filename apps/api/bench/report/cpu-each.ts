/** Microseconds of CPU of a measurement, or of one of its things. */
export interface CpuUs {
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
}

/** Node's microseconds for one thing, of which its main thread's, and PostgreSQL's, where /proc tells them. */
export function cpuEach(cpu: CpuUs | null, count: number): string {
  if (cpu === null || Number.isNaN(cpu.allUs)) return 'not told';
  const each = (us: number) => Math.round(us / count).toLocaleString('en');
  return `${each(cpu.allUs)} (main ${each(cpu.mainUs)}) + ${each(cpu.postgresUs)} µs`;
}
