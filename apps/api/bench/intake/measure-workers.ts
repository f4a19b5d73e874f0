import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import { treeCpuUs } from '../machine/process-cpu.ts';
import type { Ground, Part } from '../part.ts';
import { medianOf } from '../report/median-of.ts';
import { textTable } from '../report/text-table.ts';
import { postLoad } from './post-load.ts';

/** One process alone, and six under a supervisor. */
const WORKER_COUNTS = [1, 6] as const;

/**
 * Connections of the load for each process, a few and many: a batch of requests shares a statement and a commit, so what
 * one costs depends on how many come to its process at once.
 */
const CONNECTION_COUNTS = [8, 48] as const;

/** Requests for each process before any is measured: its code is compiled by then. */
const WARMING_COUNT = 4_000;

interface Round {
  readonly perSecond: number;
  readonly failedCount: number;
  /** Microseconds of CPU a request: of the service's processes, supervisor included, and of PostgreSQL. */
  readonly nodeUs: number;
  readonly postgresUs: number;
}

interface Load {
  readonly workerCount: number;
  /** For each process. */
  readonly connectionCount: number;
}

const LOADS: readonly Load[] = CONNECTION_COUNTS.flatMap((connectionCount) =>
  WORKER_COUNTS.map((workerCount) => ({ workerCount, connectionCount })),
);

/** What a request costs with one process and with several that have as much to do each: they share a database. */
export const workers: Part = {
  name: 'workers',
  run: async (ground) => {
    const rounds = LOADS.map((load) => ({ load, rounds: [] as Round[] }));
    for (let round = 0; round < ground.settings.rounds; round += 1)
      for (const one of round % 2 === 0 ? rounds : rounds.toReversed())
        one.rounds.push(await measure(ground, one.load));
    const wholeUs = (some: readonly Round[]) =>
      medianOf(some.map(({ nodeUs, postgresUs }) => nodeUs + postgresUs));
    const lines = rounds.map(({ load: { workerCount, connectionCount }, rounds: some }) => {
      const alone = rounds.find(
        ({ load }) => load.workerCount === 1 && load.connectionCount === connectionCount,
      );
      return [
        `${workerCount} x ${connectionCount}`,
        medianOf(some.map(({ perSecond }) => perSecond)).toFixed(0),
        medianOf(some.map(({ nodeUs }) => nodeUs)).toFixed(0),
        medianOf(some.map(({ postgresUs }) => postgresUs)).toFixed(0),
        (wholeUs(some) / wholeUs(alone?.rounds ?? [])).toFixed(2),
        String(some.reduce((sum, { failedCount }) => sum + failedCount, 0)),
      ];
    });
    ground.say(`\nworkers: medians of ${ground.settings.rounds} rounds; µs of CPU a request`);
    ground.say(
      textTable([['WORKERS x connections', 'a second', 'node', 'PostgreSQL', 'of one', 'failed'], ...lines]),
    );
    return { report: rounds, figures: {} };
  },
};

async function measure({ settings, server }: Ground, { workerCount, connectionCount }: Load): Promise<Round> {
  await using database = await server.aDatabase();
  const env = { ...database.env, WORKERS: String(workerCount), DATABASE_POOL_MAX: '8' };
  const running = await startProcess(SERVICE, env);
  const post = (seconds: number) =>
    postLoad({
      url: `${running.url}/requests/`,
      headers: { 'content-type': 'application/json', 'x-key': API_KEY },
      body: JSON.stringify(aRequest({ callback_url: 'https://receiver.example/verified' })),
      connectionCount: connectionCount * workerCount,
      seconds,
    });
  let warmedCount = 0;
  while (warmedCount < WARMING_COUNT * workerCount) {
    const { okCount } = await post(1);
    if (okCount === 0) throw new Error('The service stores nothing.');
    warmedCount += okCount;
  }
  await database.client.query('analyze');
  const look = () => [running.pid, server.pid].map((pid) => treeCpuUs([pid]) ?? Number.NaN);
  const [nodeBefore = 0, postgresBefore = 0] = look();
  const startedAt = performance.now();
  const { okCount, failedCount } = await post(settings.seconds);
  const seconds = (performance.now() - startedAt) / 1000;
  const [node = 0, postgres = 0] = look();
  await running.stop();
  return {
    perSecond: okCount / seconds,
    failedCount,
    nodeUs: (node - nodeBefore) / okCount,
    postgresUs: (postgres - postgresBefore) / okCount,
  };
}
