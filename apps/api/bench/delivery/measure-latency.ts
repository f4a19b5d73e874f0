import type { RequestModel } from '@insurance-verification/schema';
import { API_KEY, type BenchDatabase } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';
import { latencyText } from '../report.ts';
import { arrivalsOf, type Receivers } from './start-receivers.ts';
import { createRequests, submitAll, submitSteadily, type Target } from './submit-results.ts';

interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Steady {
  readonly target: Target;
  readonly database: BenchDatabase;
  readonly receivers: Receivers;
}

/** Deliveries before anything counts: they compile the hot code. */
const WARM_COUNT = 8_000;

/** Milliseconds from acceptance (the transaction's clock) to arrival at the receiver, at a steady rate. */
export async function measureLatency({ settings, server, say }: Ground, receivers: Receivers): Promise<void> {
  await using database = await server.aDatabase();
  const service = await startProcess(SERVICE, database.env);
  const target = { url: service.url, apiKey: API_KEY };
  const on: Steady = { target, database, receivers };
  const { quick, hung } = receivers.urls;
  const requests = (urls: readonly string[], perSecond: number, seconds = settings.seconds) =>
    createRequests(target, urls, Math.ceil(perSecond * seconds));
  await submitAll(target, await createRequests(target, quick, WARM_COUNT));
  await measureSteady(on, await requests(quick, 200, 1), 200);
  await database.client.query('analyze');

  const steady = await measureSteady(on, await requests(quick, 200), 200);
  say(`delivery steady: 200/s, accepted to received  ${latencyText(steady)}`);
  const one = quick.slice(0, 1);
  const alone = await measureSteady(on, await requests(one, 50), 50);
  say(`isolation: 50/s to one host, alone  ${latencyText(alone)}`);
  await submitAll(target, await createRequests(target, hung, 20 * hung.length));
  const beside = await measureSteady(on, await requests(one, 50), 50);
  say(`isolation: the same beside ${hung.length} hung hosts  ${latencyText(beside)}`);
  await service.stop();
}

async function measureSteady(
  { target, database, receivers }: Steady,
  requests: readonly RequestModel[],
  perSecond: number,
): Promise<Percentiles> {
  const ids = requests.map((request) => request.request_id ?? '');
  await submitSteadily(target, requests, perSecond);
  const arrivals = await arrivalsOf(receivers, ids);
  const acceptedAt = await acceptedAtOf(database, ids);
  const latencies = ids
    .map((id) => (arrivals.get(id)?.[0] ?? Number.NaN) - (acceptedAt.get(id) ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const percentile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

async function acceptedAtOf({ client }: BenchDatabase, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; at: number }>(
    'select request_id as id, 1000 * extract(epoch from accepted_at)::float8 as at from delivery where request_id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
