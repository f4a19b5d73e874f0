import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Ground, Part } from '../part.ts';
import { cpuText, latencyText, middleOf, rateText, ratioOf, shareText } from '../report.ts';
import { type Contestant, servicesOf, withFastapi } from './contestants.ts';
import { type Intake, measureIntake } from './measure-intake.ts';

/**
 * The warm-up: compiles the hot code and fills the pools before anything counts. The floor is at its speed after two
 * seconds; the service, with more code, after eight: 183 µs a request in its first second, 146 in its second, 100 then.
 */
const WARM_SECONDS_MAX = 8;

/** The floor, the service, versions before and FastAPI in turn, so that each gets the same share of the machine's good and bad hours. */
export const intake: Part = {
  name: 'intake',
  run: async (ground) => {
    const { settings, say } = ground;
    await fillCompileCache(ground);
    const floor = { name: 'floor', program: 'bench/intake/floor-server.ts' };
    const contestants = withFastapi(ground, [floor, ...servicesOf(ground)]);
    const measured = new Map<string, Rounds>();
    let peakMemoryMb = 0;
    for (let round = 0; round < settings.rounds; round += 1) {
      // Every other round runs backwards: the second contestant may find a warmer disk.
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const one = await measureRound(ground, contestant, measured);
        if (contestant.name === 'service') peakMemoryMb = Math.max(peakMemoryMb, one);
      }
    }
    for (const connectionCount of settings.connectionCounts) {
      const service = measured.get(keyOf('service', connectionCount)) ?? [];
      say(
        `\nintake, ${connectionCount} connections: medians of ${settings.rounds} rounds of ${settings.seconds} s; CPU a request`,
      );
      for (const { name } of contestants) {
        const rounds = measured.get(keyOf(name, connectionCount));
        if (rounds)
          say(
            `  ${name.padEnd(8)}  ${lineOf(rounds)}${name === 'service' ? '' : `; the service is ${ratioOf(service, rounds).toFixed(2)} of it`}`,
          );
      }
    }
    const isKnown = !Number.isNaN(peakMemoryMb);
    say(`memory: the service at its highest ${isKnown ? `${Math.round(peakMemoryMb)} MB` : 'not told'}`);
  },
};

/**
 * Starts the service once. The first start after a change loads what strips the TypeScript, 29 MB to the end of the
 * process. Node keeps what it stripped, and an installed service has nothing to strip.
 */
async function fillCompileCache({ server }: Ground): Promise<void> {
  await using database = await server.aDatabase();
  const running = await startProcess(SERVICE, database.env);
  await running.stop();
}

type Rounds = readonly [Intake, ...Intake[]];

function lineOf(rounds: Rounds): string {
  const middle = middleOf(rounds);
  const failedCount = rounds.reduce((sum, round) => sum + round.failedCount, 0);
  return [
    rateText(middle.perSecond),
    latencyText(middle),
    `CPU ${cpuText(middle)}`,
    `idle ${shareText(middle.idleShare)}`,
    `${Math.round(middle.commitsPerSecond).toLocaleString('en')} commits/s of ${middle.rowsPerCommit.toFixed(1)} rows`,
    ...(failedCount > 0 ? [`${failedCount} FAILED`] : []),
  ].join(', ');
}

const keyOf = (name: string, connectionCount: number) => `${name} ${connectionCount}`;

/** Measures one contestant on a fresh database, for each count of connections. Returns its peak memory in MB. */
async function measureRound(
  { settings, server }: Ground,
  { name, program }: Contestant,
  measured: Map<string, Rounds>,
): Promise<number> {
  await using database = await server.aDatabase();
  const running = await startProcess(program, database.env);
  const target = { database, server: running, postmasterPid: server.pid };
  const warmSeconds = Math.min(2 * settings.seconds, WARM_SECONDS_MAX);
  await measureIntake(target, Math.max(...settings.connectionCounts), warmSeconds);
  for (const connectionCount of settings.connectionCounts) {
    await database.client.query('analyze');
    const one = await measureIntake(target, connectionCount, settings.seconds);
    const key = keyOf(name, connectionCount);
    const earlier = measured.get(key);
    measured.set(key, earlier ? [...earlier, one] : [one]);
  }
  const peakMemoryMb = running.peakMemoryMb();
  await running.stop();
  return peakMemoryMb;
}
