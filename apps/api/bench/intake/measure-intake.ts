import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY, type BenchDatabase } from '../ground/bench-server.ts';
import type { RunningProcess } from '../ground/start-process.ts';
import { measureUsage } from '../machine.ts';
import { type Answers, type PostLoad, postLoad } from './post-load.ts';

/** One measurement of one contestant. Values from /proc are NaN on machines without it. */
export interface Intake {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failedCount: number;
  /** Microseconds of CPU per request. */
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
  readonly idleShare: number;
  readonly othersShare: number;
  readonly commitsPerSecond: number;
  readonly rowsPerCommit: number;
}

export interface IntakeTarget {
  readonly database: BenchDatabase;
  readonly server: RunningProcess;
  readonly postmasterPid: number;
}

/** Posts requests over `connectionCount` connections; every answer but a 2xx counts as failed. */
export async function measureIntake(
  { database, server, postmasterPid }: IntakeTarget,
  connectionCount: number,
  seconds: number,
): Promise<Intake> {
  const committedBefore = await committedCount(database);
  const usageSince = measureUsage(server.pid, postmasterPid);
  const startedAt = performance.now();
  const { okCount, failedCount, latenciesMs } = await postRequests(server.url, { connectionCount, seconds });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const usage = usageSince();
  const commits = (await committedCount(database)) - committedBefore;
  const percentile = (part: number) => latenciesMs[Math.floor(latenciesMs.length * part)] ?? Number.NaN;
  const each = (us: number | undefined) => (us ?? Number.NaN) / okCount;
  return {
    perSecond: okCount / elapsedSeconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    failedCount,
    mainUs: each(usage?.mainUs),
    allUs: each(usage?.allUs),
    postgresUs: each(usage?.postgresUs),
    idleShare: usage?.idleShare ?? Number.NaN,
    othersShare: usage?.othersShare ?? Number.NaN,
    commitsPerSecond: commits / elapsedSeconds,
    rowsPerCommit: okCount / commits,
  };
}

/** Posts requests to a service, or to a contestant, over several connections. */
function postRequests(
  serviceUrl: string,
  load: Pick<PostLoad, 'connectionCount' | 'seconds'>,
): Promise<Answers> {
  return postLoad({
    url: `${serviceUrl}/requests/`,
    headers: { 'content-type': 'application/json', 'x-key': API_KEY },
    body: JSON.stringify(aRequest({ callback_url: 'https://receiver.example/verified' })),
    ...load,
  });
}

/**
 * Transactions that wrote, from the next transaction id. The statistics views lag by a second and also count reads,
 * which sync nothing.
 */
async function committedCount({ client }: Pick<BenchDatabase, 'client'>): Promise<number> {
  const { rows } = await client.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  return Number(rows[0]?.next);
}
