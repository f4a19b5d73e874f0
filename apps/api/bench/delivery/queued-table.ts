import { cpuEach } from '../report/cpu-each.ts';
import type { Figure } from '../report/figures.ts';
import { medianOf } from '../report/median-of.ts';
import { textTable } from '../report/text-table.ts';
import type { Posting } from './posting.ts';

/** A contestant's rounds. */
interface Rounds {
  readonly name: string;
  readonly rounds: readonly Posting[];
}

const middleOf = (rounds: readonly Posting[]): Posting => ({
  perSecond: medianOf(rounds.map((round) => round.perSecond)),
  mainUs: medianOf(rounds.map((round) => round.mainUs)),
  allUs: medianOf(rounds.map((round) => round.allUs)),
  postgresUs: medianOf(rounds.map((round) => round.postgresUs)),
  idleShare: medianOf(rounds.map((round) => round.idleShare)),
});

/** The median of the per-round ratios. */
const ratioOf = (service: readonly Posting[], other: readonly Posting[]) =>
  medianOf(service.map((round, index) => round.perSecond / (other[index]?.perSecond ?? Number.NaN)));

const serviceOf = (all: readonly Rounds[]) => all.find(({ name }) => name === 'service')?.rounds ?? [];

const rateOf = ({ perSecond }: Posting) => `${Math.round(perSecond).toLocaleString('en')}/s`;

/** The printed table of queued deliveries. */
export function queuedTable(all: readonly Rounds[]): string {
  const lines = all.map(({ name, rounds }) => {
    const middle = middleOf(rounds);
    const idle = Number.isNaN(middle.idleShare) ? 'not told' : `${(100 * middle.idleShare).toFixed(0)} %`;
    const ratio = name === 'service' ? '' : `${ratioOf(serviceOf(all), rounds).toFixed(2)} ×`;
    return [name, rateOf(middle), ratio, cpuEach(middle, 1), idle];
  });
  return textTable([['', 'deliveries', 'service is', 'node + PostgreSQL', 'idle'], ...lines]);
}

/** README's rows: the service compared with the floor and with each peer that ran. */
export function queuedFigures(all: readonly Rounds[]): Record<string, Figure> {
  const service = serviceOf(all);
  const ours = middleOf(service);
  const figures = all
    .filter(({ name }) => name !== 'service')
    .map(({ name, rounds }): [string, Figure] => {
      const theirs = middleOf(rounds);
      const figure = {
        beside: rateOf(theirs),
        service: rateOf(ours),
        ratio: ratioOf(service, rounds).toFixed(2),
        cpuBeside: cpuEach(theirs, 1),
        cpu: cpuEach(ours, 1),
      };
      return [name === 'floor' ? 'delivery-queued' : name, figure];
    });
  return Object.fromEntries(figures);
}
