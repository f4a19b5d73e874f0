import { cpuEach } from '../report/cpu-each.ts';
import type { Figure } from '../report/figures.ts';
import { medianOf } from '../report/median-of.ts';
import { textTable } from '../report/text-table.ts';
import type { Posting } from './compare-queued.ts';

/** The rounds of both. */
interface Queued {
  readonly floor: readonly Posting[];
  readonly service: readonly Posting[];
}

const middleOf = (rounds: readonly Posting[]): Posting => ({
  perSecond: medianOf(rounds.map((round) => round.perSecond)),
  mainUs: medianOf(rounds.map((round) => round.mainUs)),
  allUs: medianOf(rounds.map((round) => round.allUs)),
  postgresUs: medianOf(rounds.map((round) => round.postgresUs)),
  idleShare: medianOf(rounds.map((round) => round.idleShare)),
});

/** The median of the rounds' own ratios. */
const ratioOf = ({ floor, service }: Queued) =>
  medianOf(service.map((round, index) => round.perSecond / (floor[index]?.perSecond ?? Number.NaN)));

const rateOf = ({ perSecond }: Posting) => `${Math.round(perSecond).toLocaleString('en')}/s`;

/** What queued deliveries print. */
export function queuedTable(queued: Queued): string {
  const lines = (['floor', 'service'] as const).map((name) => {
    const middle = middleOf(queued[name]);
    const idle = Number.isNaN(middle.idleShare) ? 'not told' : `${(100 * middle.idleShare).toFixed(0)} %`;
    const ratio = name === 'service' ? '' : `${ratioOf(queued).toFixed(2)} ×`;
    return [name, rateOf(middle), ratio, cpuEach(middle, 1), idle];
  });
  return textTable([['', 'deliveries', 'service is', 'node + PostgreSQL', 'idle'], ...lines]);
}

/** The row of README. */
export function queuedFigure(queued: Queued): Figure {
  const [theirs, ours] = [middleOf(queued.floor), middleOf(queued.service)];
  return {
    beside: rateOf(theirs),
    service: rateOf(ours),
    ratio: ratioOf(queued).toFixed(2),
    cpuBeside: cpuEach({ ...theirs, postgresUs: 0 }, 1),
    cpu: cpuEach(ours, 1),
  };
}
