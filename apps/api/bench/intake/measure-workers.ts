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

/** Connections of the load: several for each worker. */
const CONNECTION_COUNT = 48;

interface Round {
  readonly perSecond: number;
  readonly failedCount: number;
  /** Microseconds of CPU a request: of the service's processes, supervisor included, and of PostgreSQL. */
  readonly nodeUs: number;
  readonly postgresUs: number;
}

/** What a request costs with one process and with several: they share a database, and each commits for itself. */
export const workers: Part = {
  name: 'workers',
  run: async (ground) => {
    const rounds = new Map<number, Round[]>(WORKER_COUNTS.map((count) => [count, []]));
    for (let round = 0; round < ground.settings.rounds; round += 1)
      for (const count of round % 2 === 0 ? WORKER_COUNTS : WORKER_COUNTS.toReversed())
        rounds.get(count)?.push(await measure(ground, count));
    const middle = (count: number, read: (round: Round) => number) =>
      medianOf((rounds.get(count) ?? []).map(read));
    const whole = ({ nodeUs, postgresUs }: Round) => nodeUs + postgresUs;
    const lines = WORKER_COUNTS.map((count) => [
      String(count),
      middle(count, ({ perSecond }) => perSecond).toFixed(0),
      middle(count, ({ nodeUs }) => nodeUs).toFixed(0),
      middle(count, ({ postgresUs }) => postgresUs).toFixed(0),
      (middle(count, whole) / middle(WORKER_COUNTS[0], whole)).toFixed(2),
      String((rounds.get(count) ?? []).reduce((sum, { failedCount }) => sum + failedCount, 0)),
    ]);
    ground.say(
      `\nworkers, ${CONNECTION_COUNT} connections: medians of ${ground.settings.rounds} rounds; µs of CPU a request`,
    );
    ground.say(textTable([['WORKERS', 'a second', 'node', 'PostgreSQL', 'of one', 'failed'], ...lines]));
    return { report: Object.fromEntries(rounds), figures: {} };
  },
};

async function measure({ settings, server }: Ground, workerCount: number): Promise<Round> {
  await using database = await server.aDatabase();
  const env = { ...database.env, WORKERS: String(workerCount), DATABASE_POOL_MAX: '8' };
  const running = await startProcess(SERVICE, env);
  const post = (seconds: number) =>
    postLoad({
      url: `${running.url}/requests/`,
      headers: { 'content-type': 'application/json', 'x-key': API_KEY },
      body: JSON.stringify(aRequest({ callback_url: 'https://receiver.example/verified' })),
      connectionCount: CONNECTION_COUNT,
      seconds,
    });
  await post(Math.min(settings.seconds, 3));
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
