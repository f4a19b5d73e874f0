import type { RequestModel } from '@insurance-verification/schema';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequests, submit, submitAll, submitSteadily, type Target } from './results.ts';
import { startProcess } from './start-process.ts';
import { type Receivers, startReceivers } from './start-receivers.ts';

export interface DeliveryOptions {
  readonly env: Record<string, string>;
  readonly apiKey: string;
  /** How long each part measures, about. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As many posts at once as the service has in flight for one account. */
const CONCURRENCY = 100;
const BODY_BYTES = 900;

/** Every figure of delivery, each on a quiet service. */
export async function compareDelivery(options: DeliveryOptions): Promise<Record<string, unknown>> {
  const receivers = await startReceivers();
  try {
    const throughput = await measureThroughput(options, receivers);
    const latency = await measureLatency(options, receivers);
    const recovery = await measureRecovery(options, receivers);
    return { ...throughput, ...latency, ...recovery };
  } finally {
    receivers.stop();
  }
}

/** Results that were queued while no worker ran, against undici posting as many of their size to the same receivers. */
async function measureThroughput({ env, apiKey, seconds, say }: DeliveryOptions, receivers: Receivers) {
  const count = 1_000 * seconds;
  const intake = await startProcess('../src/main.ts', { ...env, ROLES: 'http' });
  const target = { url: intake.url, apiKey };
  await submitAll(target, await createRequests(target, receivers.urls.quick, count));
  await intake.stop();

  const floorPerSecond = await perSecondOf(receivers, count, () =>
    startProcess('./floor-poster.ts', {
      URLS: receivers.urls.quick.join(' '),
      COUNT: String(count),
      CONCURRENCY: String(CONCURRENCY),
      BODY_BYTES: String(BODY_BYTES),
    }),
  );
  const perSecond = await perSecondOf(receivers, count, () =>
    startProcess('../src/main.ts', { ...env, ROLES: 'delivery' }),
  );
  const ratio = perSecond / floorPerSecond;
  const hosts = receivers.urls.quick.length;
  say(`delivery floor    ${count} posts, ${hosts} hosts      ${Math.round(floorPerSecond)}/s`);
  say(
    `delivery service  ${count} queued, ${hosts} hosts     ${Math.round(perSecond)}/s  ratio ${ratio.toFixed(2)}`,
  );
  return { queued: count, floorPerSecond, perSecond, ratio };
}

/** From the first post to the last, when all have come. */
async function perSecondOf(
  receivers: Receivers,
  count: number,
  start: () => ReturnType<typeof startProcess>,
): Promise<number> {
  await receivers.forget();
  const sender = await start();
  for (;;) {
    const seen = await receivers.count();
    if (seen.count >= count) {
      await sender.stop();
      return count / (seen.spanMs / 1000);
    }
    await sleep(50);
  }
}

/** Milliseconds from the acceptance (the transaction's clock) to the receiver, at a steady rate. */
async function measureLatency({ env, apiKey, seconds, say }: DeliveryOptions, receivers: Receivers) {
  const service = await startProcess('../src/main.ts', env);
  const target = { url: service.url, apiKey };
  const { quick, hung } = receivers.urls;
  await measureSteady(target, env, receivers, await createRequests(target, quick, 200), 200);

  const steady = await measureSteady(
    target,
    env,
    receivers,
    await createRequests(target, quick, 200 * seconds),
    200,
  );
  say(`delivery steady   200/s, accepted to received     ${shown(steady)}`);

  const one = quick.slice(0, 1);
  const alone = await measureSteady(
    target,
    env,
    receivers,
    await createRequests(target, one, 50 * seconds),
    50,
  );
  await submitAll(target, await createRequests(target, hung, 20 * hung.length));
  const beside = await measureSteady(
    target,
    env,
    receivers,
    await createRequests(target, one, 50 * seconds),
    50,
  );
  say(`isolation         50/s to one host, alone         ${shown(alone)}`);
  say(`isolation         the same beside ${hung.length} hung hosts    ${shown(beside)}`);
  await service.stop();
  return { steady, isolation: { alone, besideHungHosts: beside } };
}

async function measureSteady(
  target: Target,
  env: Record<string, string>,
  receivers: Receivers,
  requests: readonly RequestModel[],
  perSecond: number,
): Promise<Percentiles> {
  const ids = requests.map((request) => request.request_id ?? '');
  await submitSteadily(target, requests, perSecond);
  const arrivals = await arrivalsOf(receivers, ids);
  const acceptedAt = await acceptedAtOf(env, ids);
  const latencies = ids
    .map((id) => (arrivals.get(id)?.[0] ?? Number.NaN) - (acceptedAt.get(id) ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const percentile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

/** When every one has come. */
async function arrivalsOf(receivers: Receivers, ids: readonly string[]) {
  for (;;) {
    const arrivals = await receivers.arrivals();
    if (ids.every((id) => arrivals.has(id))) return arrivals;
    await sleep(50);
  }
}

async function acceptedAtOf(
  env: Record<string, string>,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  const { rows } = await client.query<{ id: string; at: number }>(
    'select request_id as id, 1000 * extract(epoch from accepted_at)::float8 as at from delivery where request_id = any($1)',
    [ids],
  );
  await client.end();
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** A worker is killed in the middle of its attempts while another stands by: milliseconds until all came again. */
async function measureRecovery({ env, apiKey, say }: DeliveryOptions, receivers: Receivers) {
  const http = await startProcess('../src/main.ts', { ...env, ROLES: 'http' });
  const worker = await startProcess('../src/main.ts', { ...env, ROLES: 'delivery' });
  const target = { url: http.url, apiKey };
  const requests = await createRequests(target, receivers.urls.late, 4); // two places for each of two hosts
  for (const request of requests) await submit(target, request);
  const ids = requests.map((request) => request.request_id ?? '');
  await arrivalsOf(receivers, ids);
  const standby = await startProcess('../src/main.ts', { ...env, ROLES: 'delivery' });
  const killedAt = performance.timeOrigin + performance.now();
  await worker.kill();
  let again: number[] = [];
  while (again.length < ids.length) {
    await sleep(50);
    const arrivals = await receivers.arrivals();
    again = ids.flatMap(
      (id) =>
        arrivals
          .get(id)
          ?.filter((at) => at > killedAt)
          .slice(0, 1) ?? [],
    );
  }
  await standby.stop();
  await http.stop();
  const recoveryMs = Math.max(...again) - killedAt;
  say(`recovery          SIGKILL to redelivered, at worst  ${Math.round(recoveryMs)} ms`);
  return { recoveryMs };
}

function shown({ p50Ms, p99Ms }: Percentiles): string {
  return `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`;
}
