/** The median; the mean of the middle two for an even count, NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/** The median of each figure over the rounds. */
export function middleOf<Round extends Readonly<Record<keyof Round, number>>>(
  rounds: readonly [Round, ...Round[]],
): Round {
  const fields = Object.keys(rounds[0]) as (keyof Round)[];
  return Object.fromEntries(
    fields.map((field) => [field, medianOf(rounds.map((round) => round[field]))]),
  ) as unknown as Round;
}

/** The median of the rounds' own ratios: both halves of a round had the same hour of the machine. */
export function ratioOf(
  service: readonly { readonly perSecond: number }[],
  other: readonly { readonly perSecond: number }[],
): number {
  return medianOf(service.map((round, index) => round.perSecond / (other[index]?.perSecond ?? Number.NaN)));
}

/** Microseconds of CPU of a measurement, or of one operation. */
export interface CpuUs {
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
}

/** `11,295/s` */
export const rateText = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`;

/** `p50 5.2 ms, p99 12.9 ms` */
export const latencyText = ({ p50Ms, p99Ms }: { readonly p50Ms: number; readonly p99Ms: number }) =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;

/** `73 (main 72) + 91 µs`: microseconds per operation of node, its main thread's share, and PostgreSQL's, if /proc has them. */
export function cpuText(cpu: CpuUs | null, count = 1): string {
  if (cpu === null || Number.isNaN(cpu.allUs)) return 'not told';
  const each = (us: number) => Math.round(us / count).toLocaleString('en');
  return `${each(cpu.allUs)} (main ${each(cpu.mainUs)}) + ${each(cpu.postgresUs)} µs`;
}

/** `12.0 %` */
export const shareText = (share: number) =>
  Number.isNaN(share) ? 'not told' : `${(100 * share).toFixed(1)} %`;
