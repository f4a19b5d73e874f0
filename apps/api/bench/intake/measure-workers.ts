import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@insurance-verification/testing/until';
import type { BenchDatabase } from '../ground/bench-server.ts';
import { type RunningProcess, SERVICE, startProcess } from '../ground/start-process.ts';
import { treeCpuUs } from '../machine/process-cpu.ts';
import type { Ground, Part } from '../part.ts';
import { rateText } from '../report/figure-text.ts';
import { medianOf } from '../report/median-of.ts';
import { committedCount } from './committed-count.ts';
import { postRequests } from './post-requests.ts';

/** One process alone; and under a supervisor as many as this machine has cores, and six. */
const WORKER_COUNTS = [...new Set([1, availableParallelism(), 6])].toSorted((a, b) => a - b);

/**
 * Connections of the load for each process, a few and many: a batch of requests shares a statement and a commit, so what
 * one costs depends on how many come to its process at once.
 */
const CONNECTION_COUNTS = [8, 48] as const;

/**
 * Requests for each process before any is measured. After 4,000 one of six still compiles: a request takes 170 µs of its
 * main thread and 52 of others; after 20,000 it takes 123 and 15.
 */
const WARMING_COUNT = 20_000;

/** Connections of a process's pool, so that the server takes all processes at once. */
const POOL_MAX = '6';

/** Milliseconds until every process has done its hourly housekeeping, which it begins within 90 s. */
const SETTLED_MS_MAX = 180_000;

/** One measurement of one process, or of several. */
interface WorkersRound {
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

interface Crew {
  readonly workerCount: number;
  readonly running: RunningProcess;
  readonly database: BenchDatabase;
}

/** What a request costs with one process and with several that have as much to do each: they share a database. */
export const workers: Part = {
  name: 'workers',
  run: async (ground) => {
    await using stack = new AsyncDisposableStack();
    const crews: Crew[] = [];
    for (const workerCount of WORKER_COUNTS) crews.push(await startCrew(ground, stack, workerCount));
    for (const crew of crews) await warm(crew);
    await Promise.all(crews.map(settle));
    const rounds: WorkersRound[] = [];
    for (let round = 0; round < ground.settings.rounds; round += 1) {
      for (const connectionCount of CONNECTION_COUNTS) {
        for (const crew of round % 2 === 0 ? crews : crews.toReversed())
          rounds.push({ round, ...(await measure(ground, crew, connectionCount)) });
      }
    }
    ground.say(`\nworkers: medians of ${ground.settings.rounds} rounds; µs of CPU a request`);
    for (const line of workersLines(rounds)) ground.say(line);
  },
};

async function startCrew(
  { server }: Ground,
  stack: AsyncDisposableStack,
  workerCount: number,
): Promise<Crew> {
  const database = stack.use(await server.aDatabase());
  const env = { ...database.env, WORKERS: String(workerCount), DATABASE_POOL_MAX: POOL_MAX };
  const running = await startProcess(SERVICE, env);
  stack.defer(async () => void (await running.stop()));
  return { workerCount, running, database };
}

async function warm({ workerCount, running, database }: Crew): Promise<void> {
  const connectionCount = workerCount * Math.max(...CONNECTION_COUNTS);
  for (let warmedCount = 0; warmedCount < WARMING_COUNT * workerCount;) {
    const { okCount } = await postRequests(running.url, { connectionCount, seconds: 1 });
    if (okCount === 0) throw new Error('The service stores nothing.');
    warmedCount += okCount;
  }
  await database.client.query('analyze');
}

/** Waits for the housekeeping of the hour: six times that of one, it would fall into the seconds measured of six. */
async function settle({ workerCount, running }: Crew): Promise<void> {
  const hasSettled = async () => {
    await pause(1_000);
    const text = await (await fetch(`${running.url}/metrics`)).text();
    return [...text.matchAll(/^ivs_months_ahead(?:\{.*\})? [1-9]/gm)].length === workerCount;
  };
  await until('every process has done its housekeeping', hasSettled, SETTLED_MS_MAX);
}

async function measure(
  { settings, server }: Ground,
  { workerCount, running, database }: Crew,
  connectionCount: number,
): Promise<Omit<WorkersRound, 'round'>> {
  const look = () => [running.pid, server.pid].map((pid) => treeCpuUs([pid]) ?? Number.NaN);
  const commitsBefore = await committedCount(database);
  const [nodeBefore = 0, postgresBefore = 0] = look();
  const startedAt = performance.now();
  const { okCount, failedCount } = await postRequests(running.url, {
    connectionCount: connectionCount * workerCount,
    seconds: settings.seconds,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const [node = 0, postgres = 0] = look();
  return {
    workerCount,
    connectionCount,
    perSecond: okCount / seconds,
    failedCount,
    nodeUs: (node - nodeBefore) / okCount,
    postgresUs: (postgres - postgresBefore) / okCount,
    rowsPerCommit: okCount / ((await committedCount(database)) - commitsBefore),
  };
}

/**
 * A line for each load. Its CPU is compared with that of one process that has as many connections as each of several, and
 * of one that has as many as all together. A ratio is the median of the rounds' own.
 */
function workersLines(rounds: readonly WorkersRound[]): string[] {
  return WORKER_COUNTS.flatMap((workerCount) =>
    CONNECTION_COUNTS.map((connectionCount) => {
      const of = (processes: number, connections: number) =>
        rounds.filter((one) => one.workerCount === processes && one.connectionCount === connections);
      const some = of(workerCount, connectionCount);
      const middle = (field: 'perSecond' | 'nodeUs' | 'postgresUs' | 'rowsPerCommit') =>
        medianOf(some.map((one) => one[field]));
      const failedCount = some.reduce((sum, one) => sum + one.failedCount, 0);
      return [
        `  ${workerCount} x ${connectionCount} connections: ${rateText(middle('perSecond'))}`,
        `${middle('nodeUs').toFixed(0)} of node + ${middle('postgresUs').toFixed(0)} of PostgreSQL`,
        `${middle('rowsPerCommit').toFixed(1)} rows a commit`,
        `${ratioOf(some, of(1, connectionCount))} of one as busy`,
        `${ratioOf(some, of(1, workerCount * connectionCount))} of one with all`,
        ...(failedCount > 0 ? [`${failedCount} FAILED`] : []),
      ].join(', ');
    }),
  );
}

/** A dash where nothing is to compare with. */
function ratioOf(some: readonly WorkersRound[], others: readonly WorkersRound[]): string {
  if (others.length === 0) return '–';
  const wholeUs = ({ nodeUs, postgresUs }: WorkersRound) => nodeUs + postgresUs;
  const ratios = some.flatMap((one) =>
    others.filter(({ round }) => round === one.round).map((other) => wholeUs(one) / wholeUs(other)),
  );
  return medianOf(ratios).toFixed(2);
}
