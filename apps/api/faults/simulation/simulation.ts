import type { FaultRow } from '../fault-row.ts';
import { simulate } from './simulate.ts';

const SEEDS_PER_ROUND = 1_000;
const LISTED_MAX = 5;

/**
 * The pure state machine under a virtual clock: the real retry plan and the real state, on the model of the store's
 * statements, which the store's own tests check against PostgreSQL. `FAULT_SEED=123 pnpm test:faults 20` replays one
 * seed and prints its trace.
 */
export const simulation: FaultRow = {
  number: 20,
  fault: 'seeded simulation: failing store, receivers and workers; a round is 1,000 seeds',
  rounds: 100,
  run: ({ tally, rounds }) => {
    const replayed = process.env['FAULT_SEED'];
    if (replayed !== undefined && replayed !== '') {
      const broken = simulate(Number(replayed), (line) => void process.stdout.write(`   ${line}\n`));
      for (const sentence of broken) tally.holds(false, sentence);
      return Promise.resolve();
    }
    const seedCount = rounds * SEEDS_PER_ROUND;
    let brokenCount = 0;
    for (let seed = 1; seed <= seedCount; seed += 1) {
      const [sentence] = simulate(seed);
      if (sentence === undefined) continue;
      brokenCount += 1;
      if (brokenCount <= LISTED_MAX)
        tally.holds(false, `seed ${seed}: ${sentence} (FAULT_SEED=${seed} shows how)`);
    }
    tally.holds(brokenCount === 0, `${brokenCount} of ${seedCount} seeds do not hold`);
    tally.facts.push(`${seedCount} seeds`);
    return Promise.resolve();
  },
};
