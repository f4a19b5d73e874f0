import { medianOf } from '../report/median-of.ts';
import { textTable } from '../report/text-table.ts';

/** One measurement of one process, or of several. */
export interface WorkersRound {
  readonly round: number;
  readonly workerCount: number;
  /** For each process. */
  readonly connectionCount: number;
  readonly perSecond: number;
  readonly failedCount: number;
  /** Microseconds of CPU a request: of the service's processes, supervisor included, and of PostgreSQL. */
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly rowsPerCommit: number;
}

const HEAD = [
  'WORKERS x connections',
  'a second',
  'node',
  'PostgreSQL',
  'rows/commit',
  'of one as busy',
  'of one with all',
  'failed',
];

/**
 * The printed table. A load is compared with one process that has as many connections as each of several, and with one
 * that has as many as all together. A ratio is the median of the rounds' own.
 */
export function workersTable(rounds: readonly WorkersRound[]): string {
  const loads = new Map(rounds.map((one) => [nameOf(one), one]));
  const lines = [...loads.values()]
    .toSorted((a, b) => a.workerCount - b.workerCount || a.connectionCount - b.connectionCount)
    .map(({ workerCount, connectionCount }) => {
      const of = (processes: number, connections: number) =>
        rounds.filter((one) => nameOf(one) === `${processes} x ${connections}`);
      const some = of(workerCount, connectionCount);
      const middle = (field: 'perSecond' | 'nodeUs' | 'postgresUs' | 'rowsPerCommit') =>
        medianOf(some.map((one) => one[field]));
      return [
        `${workerCount} x ${connectionCount}`,
        middle('perSecond').toFixed(0),
        middle('nodeUs').toFixed(0),
        middle('postgresUs').toFixed(0),
        middle('rowsPerCommit').toFixed(1),
        ratioOf(some, of(1, connectionCount)),
        ratioOf(some, of(1, workerCount * connectionCount)),
        String(some.reduce((sum, { failedCount }) => sum + failedCount, 0)),
      ];
    });
  return textTable([HEAD, ...lines]);
}

const nameOf = ({ workerCount, connectionCount }: Pick<WorkersRound, 'workerCount' | 'connectionCount'>) =>
  `${workerCount} x ${connectionCount}`;

/** A dash where nothing is to compare with. */
function ratioOf(some: readonly WorkersRound[], others: readonly WorkersRound[]): string {
  if (others.length === 0) return '–';
  const wholeUs = ({ nodeUs, postgresUs }: WorkersRound) => nodeUs + postgresUs;
  const ratios = some.flatMap((one) =>
    others.filter(({ round }) => round === one.round).map((other) => wholeUs(one) / wholeUs(other)),
  );
  return medianOf(ratios).toFixed(2);
}
