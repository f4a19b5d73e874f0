import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { Ground } from '../fault-row.ts';
import { type Cluster, startCluster } from '../ground/patroni/start-cluster.ts';
import { settle } from '../ground/settle.ts';
import { type Load, startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startEachWay } from './ways.ts';

/** Breaks the cluster. Resolves with what mends it again, once the service is to work without. */
type Strike = (cluster: Cluster) => Promise<() => Promise<void> | void>;

export interface Break {
  readonly strike: Strike;
  /** The longest that a way may be without an acknowledgement. */
  readonly backMsMax: number;
}

/** Two seconds are promised, and the machine has more to do than this row. */
const ANSWERED_MS_MAX = 5_000;

/** Of each way's clients; little, since three servers, three processes and the load share one machine. */
const PACE = { clientCount: 4, pauseMs: 40 };

/**
 * A cluster with a synchronous standby, a load through each way to it, and a fault in every round. Nothing acknowledged
 * is lost; what is not answered 200 is 503 with Retry-After; the service comes back alone.
 */
export async function breakUnderLoad(ground: Ground, { strike, backMsMax }: Break): Promise<void> {
  const { tally } = ground;
  const cluster = await startCluster(ground);
  if ('lacking' in cluster) return sayLacking(ground, cluster.lacking);
  const ways = await startEachWay(ground, cluster);
  const receiver = await startReceiver(ground, { hostCount: 8 });
  const loads = ways.map(({ service }) =>
    startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls, reads: true, ...PACE }),
  );
  const worstGapMs = ways.map(() => 0);

  for (let round = 0; round < ground.rounds; round += 1) {
    await allAcknowledge(loads, 100);
    for (const load of loads) load.takeLongestGap();
    const mend = await strike(cluster);
    await allAcknowledge(loads, 50);
    for (const [index, load] of loads.entries()) {
      const gapMs = load.takeLongestGap();
      worstGapMs[index] = Math.max(worstGapMs[index] ?? 0, gapMs);
      tally.recoveredWithin(gapMs, backMsMax, `${ways[index]?.name}: the way back`);
    }
    await until('each process listens on the primary', async () => (await listenerCount(cluster)) === 3);
    await mend();
    await cluster.whole();
  }

  await Promise.all(loads.map((load) => load.stop()));
  await settle(ground, {
    load: together(loads),
    receiver,
    databaseUrl: cluster.databaseUrl,
    mayRepeat: true,
  });
  const slowestMs = loads.map((load) => load.slowestRefusalMs());
  for (const [index, ms] of slowestMs.entries())
    tally.holds(ms <= ANSWERED_MS_MAX, `${ways[index]?.name}: a call was refused after ${seconds(ms)}`);
  const byWay = (figures: readonly number[]) =>
    ways.map(({ name }, index) => `${seconds(figures[index] ?? 0)} (${name})`).join(', ');
  tally.facts.push(`longest gap: ${byWay(worstGapMs)}`, `slowest 503: ${byWay(slowestMs)}`);
  for (const { refusals } of loads) tally.holds(!refusals.has(0), 'a call was not answered at all');
  for (const { name, service } of ways)
    tally.holds(
      (await service.stop()) === 'exit 0',
      `${name}: the process ended otherwise: ${service.ended()}`,
    );
}

/** The machine lacks what the row needs. */
export function sayLacking({ tally }: Ground, packages: readonly string[]): void {
  tally.holds(
    false,
    `NOT RUN HERE: there is no ${packages.join(', ')} (apt-get install ${packages.join(' ')}, or FAULT_EXCLUDE=24,25,26,27,28)`,
  );
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const allAcknowledge = (loads: readonly Load[], count: number) =>
  Promise.all(loads.map((load) => load.acknowledgedMore(count, 120_000)));

/** The books of several loads as one. */
const together = (loads: readonly Load[]): Pick<Load, 'requestIdByKey' | 'acceptedAt'> => ({
  requestIdByKey: new Map(loads.flatMap((load) => [...load.requestIdByKey])),
  acceptedAt: new Map(loads.flatMap((load) => [...load.acceptedAt])),
});

async function listenerCount({ databaseUrl }: Cluster): Promise<number> {
  const listening = await rows(
    databaseUrl,
    `select from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  ).catch(() => []);
  return listening.length;
}
