import { startProcess } from '../ground/start-process.ts';
import type { Ground, Part } from '../part.ts';
import type { Figure } from '../report/figures.ts';
import { type Contestant, contestantsOf } from './contestants.ts';
import { intakeFigures } from './intake-figures.ts';
import { intakeTable, middleOf, type Rounds } from './intake-table.ts';
import { type Intake, measureIntake } from './measure-intake.ts';

/**
 * The warm-up: compiles the hot code and fills the pools before anything counts. The floor is at its speed after two
 * seconds; the service, with more code, after eight: 183 µs a request in its first second, 146 in its second, 100 then.
 */
const WARM_SECONDS_MAX = 8;

/** The floor, the service and FastAPI in turn, so that each gets the same share of the machine's good and bad hours. */
export const intake: Part = {
  name: 'intake',
  run: async (ground) => {
    const { settings, say } = ground;
    const contestants = contestantsOf(ground);
    const measured = new Map<string, Intake[]>();
    let peakMemoryMb = 0;
    for (let round = 0; round < settings.rounds; round += 1) {
      // Every other round runs backwards: the second contestant may find a warmer disk.
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const one = await measureRound(ground, contestant, measured);
        if (contestant.name === 'service') peakMemoryMb = Math.max(peakMemoryMb, one);
      }
    }
    const report = [];
    const figures: Record<string, Figure> = {};
    for (const connectionCount of settings.connectionCounts) {
      const all: Rounds[] = contestants.map(({ name }) => ({
        name,
        rounds: measured.get(keyOf(name, connectionCount)) ?? [],
      }));
      say(
        `\nintake, ${connectionCount} connections: medians of ${settings.rounds} rounds of ${settings.seconds} s; CPU a request`,
      );
      say(intakeTable(all));
      report.push({
        connectionCount,
        contestants: all.map(({ name, rounds }) => ({ name, median: middleOf(rounds), rounds })),
      });
      Object.assign(figures, intakeFigures(connectionCount, all));
    }
    const isTold = !Number.isNaN(peakMemoryMb);
    say(`memory: the service at its highest ${isTold ? `${Math.round(peakMemoryMb)} MB` : 'not told'}`);
    if (isTold) figures['memory'] = { service: `${Math.round(peakMemoryMb)} MB` };
    return { report: { rows: report, servicePeakMemoryMb: peakMemoryMb }, figures };
  },
};

const keyOf = (name: string, connectionCount: number) => `${name} ${connectionCount}`;

/** Measures one contestant on a fresh database, for each count of connections. Returns its peak memory in MB. */
async function measureRound(
  { settings, server }: Ground,
  { name, file }: Contestant,
  measured: Map<string, Intake[]>,
): Promise<number> {
  await using database = await server.aDatabase();
  const running = await startProcess(file, database.env);
  const target = { database, server: running, postmasterPid: server.pid };
  const warmSeconds = Math.min(2 * settings.seconds, WARM_SECONDS_MAX);
  await measureIntake(target, Math.max(...settings.connectionCounts), warmSeconds);
  for (const connectionCount of settings.connectionCounts) {
    await database.client.query('analyze');
    const one = await measureIntake(target, connectionCount, settings.seconds);
    const key = keyOf(name, connectionCount);
    measured.set(key, [...(measured.get(key) ?? []), one]);
  }
  const peakMemoryMb = running.peakMemoryMb();
  await running.stop();
  return peakMemoryMb;
}
