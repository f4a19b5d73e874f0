import { medianOf } from '../report/median-of.ts';
import { textTable } from '../report/text-table.ts';
import type { Contestant } from './contestants.ts';
import type { Intake } from './measure-intake.ts';

/** A contestant's rounds at one count of connections. */
export interface Rounds {
  readonly name: Contestant['name'];
  readonly rounds: readonly Intake[];
}

const FIELDS = [
  'perSecond',
  'p50Ms',
  'p99Ms',
  'mainUs',
  'allUs',
  'postgresUs',
  'idleShare',
  'othersShare',
  'commitsPerSecond',
  'rowsPerCommit',
] as const;

/** The median of each figure over the rounds; failures are summed. */
export function middleOf(rounds: readonly Intake[]): Intake {
  const medians = FIELDS.map((field) => [field, medianOf(rounds.map((round) => round[field]))] as const);
  const failedCount = rounds.reduce((sum, round) => sum + round.failedCount, 0);
  return { ...(Object.fromEntries(medians) as unknown as Intake), failedCount };
}

/** The median of the per-round ratios: both halves of a round ran under the same conditions. */
export function ratioOf(service: readonly Intake[], other: readonly Intake[]): number {
  return medianOf(service.map((round, index) => round.perSecond / (other[index]?.perSecond ?? Number.NaN)));
}

const HEAD = [
  '',
  'requests/s',
  'service is',
  'p50 ms',
  'p99 ms',
  'main µs',
  'node µs',
  'pg µs',
  'idle',
  'others',
  'commits/s',
  'rows/commit',
  'failed',
];

/** The printed table for one count of connections. */
export function intakeTable(all: readonly Rounds[]): string {
  const service = all.find(({ name }) => name === 'service')?.rounds ?? [];
  const lines = all.map(({ name, rounds }) => {
    const middle = middleOf(rounds);
    return [
      name,
      Math.round(middle.perSecond).toLocaleString('en'),
      name === 'service' ? '' : `${ratioOf(service, rounds).toFixed(2)} ×`,
      middle.p50Ms.toFixed(1),
      middle.p99Ms.toFixed(1),
      told(middle.mainUs),
      told(middle.allUs),
      told(middle.postgresUs),
      told(100 * middle.idleShare, ' %'),
      told(100 * middle.othersShare, ' %'),
      Math.round(middle.commitsPerSecond).toLocaleString('en'),
      middle.rowsPerCommit.toFixed(1),
      String(middle.failedCount),
    ];
  });
  return textTable([HEAD, ...lines]);
}

/** A figure that depends on /proc. */
function told(value: number, unit = ''): string {
  return Number.isNaN(value) ? 'not told' : `${value.toFixed(0)}${unit}`;
}
