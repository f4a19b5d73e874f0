import { cpuEach } from '../report/cpu-each.ts';
import type { Figure } from '../report/figures.ts';
import { middleOf, ratioOf, type Rounds } from './intake-table.ts';
import type { Intake } from './measure-intake.ts';

/** README's rows for one count of connections: the service compared with the floor, and with FastAPI if it ran. */
export function intakeFigures(connectionCount: number, all: readonly Rounds[]): Record<string, Figure> {
  const service = all.find(({ name }) => name === 'service')?.rounds ?? [];
  const figures = all
    .filter(({ name }) => name !== 'service')
    .map(({ name, rounds }): [string, Figure] => {
      const [ours, theirs] = [middleOf(service), middleOf(rounds)];
      const row = `${name === 'floor' ? 'intake' : 'fastapi'}-${connectionCount}`;
      return [
        row,
        {
          beside: rateOf(theirs),
          service: `${rateOf(ours)}, p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms`,
          ratio: ratioOf(service, rounds).toFixed(2),
          cpuBeside: cpuOf(theirs),
          cpu: cpuOf(ours),
        },
      ];
    });
  return Object.fromEntries(figures);
}

const rateOf = ({ perSecond }: Intake) => `${Math.round(perSecond).toLocaleString('en')}/s`;

const cpuOf = (intake: Intake) => cpuEach(intake, 1);
