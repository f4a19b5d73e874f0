import type { RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { createRequests } from '../delivery/submit-results.ts';
import { API_KEY, type BenchDatabase } from '../ground/bench-server.ts';
import { composePost, openPostConnection } from '../ground/post-connection.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import { measureUsage } from '../machine.ts';
import type { Ground, Part } from '../part.ts';
import { cpuText, latencyText, rateText } from '../report.ts';

/** Concurrent callers: a dozen times the connections of the service's pool. */
const CALLER_COUNT = 256;

/** Results submitted per second of a measurement's planned length. */
const RESULTS_PER_SECOND = 2_000;

/** Calls before anything counts: they compile the hot code. */
const WARM_COUNT = 8_000;

interface Call {
  readonly path: string;
  readonly body: string;
}

/**
 * A burst of results with far more callers than the pool has connections: anonymous outputs, and results of verifiers
 * who hold the leases. The process only accepts; delivery is another role.
 */
export const results: Part = {
  name: 'results',
  run: async (ground) => {
    const outputs = await measure(ground, async (_, requests) =>
      requests.map((request) => ({ path: '/verification-output', body: JSON.stringify(anOutput(request)) })),
    );
    const work = await measure(ground, leaseAll);
    for (const [name, burst] of Object.entries({ outputs, 'results of leased work': work })) {
      const refused = burst.refusedCount > 0 ? `, ${burst.refusedCount} refused` : '';
      ground.say(
        `${name} from ${CALLER_COUNT} callers: ${rateText(burst.perSecond)}, ${latencyText(burst)}, CPU each ${burst.cpu}${refused}`,
      );
    }
  },
};

async function measure(
  { settings, server }: Ground,
  callsFor: (database: BenchDatabase, requests: readonly RequestModel[]) => Promise<readonly Call[]>,
) {
  await using database = await server.aDatabase();
  const service = await startProcess(SERVICE, { ...database.env, ROLES: 'http' });
  try {
    const target = { url: service.url, apiKey: API_KEY };
    const count = Math.ceil(RESULTS_PER_SECOND * settings.seconds);
    const requests = await createRequests(target, ['http://127.0.0.1:9/verified'], WARM_COUNT + count);
    const headers = { 'content-type': 'application/json', 'x-key': API_KEY };
    const calls = await callsFor(database, requests);
    const posts = calls.map(({ path, body }) => composePost(`${service.url}${path}`, headers, body));
    await handIn(service.url, posts.slice(0, WARM_COUNT));
    await database.client.query('analyze');
    const usageSince = measureUsage(service.pid, server.pid);
    const startedAt = performance.now();
    const { latenciesMs, refusedCount } = await handIn(service.url, posts.slice(WARM_COUNT));
    const perSecond = (latenciesMs.length * 1_000) / (performance.now() - startedAt);
    const percentile = (part: number) => latenciesMs[Math.floor(latenciesMs.length * part)] ?? Number.NaN;
    const cpu = cpuText(usageSince(), latenciesMs.length);
    return { perSecond, p50Ms: percentile(0.5), p99Ms: percentile(0.99), refusedCount, cpu };
  } finally {
    await service.stop();
  }
}

/** Makes each call once; every caller takes the next one as soon as it is answered. */
async function handIn(url: string, posts: readonly Buffer[]) {
  const latenciesMs: number[] = [];
  let refusedCount = 0;
  const waiting = posts.values();
  const caller = async () => {
    const connection = await openPostConnection(url);
    for (const post of waiting) {
      const sentAt = performance.now();
      const status = await connection.send(post);
      if (status === 200) latenciesMs.push(performance.now() - sentAt);
      else refusedCount += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CALLER_COUNT }, caller));
  return { latenciesMs: latenciesMs.toSorted((a, b) => a - b), refusedCount };
}

/** Leases all requests like claims, in one statement: one key may not hold that many leases at once. */
async function leaseAll({ client }: BenchDatabase, requests: readonly RequestModel[]): Promise<Call[]> {
  const { rows } = await client.query<{ id: string; token: string }>(
    `with leased as (
       update work_queue set channel = 'agent_web_portal', lease = gen_random_uuid(), leased_at = now(),
         leased_until = now() + interval '10 minutes'
       returning request_id, account_id, payer_id, channel, lease
     ), attempted as (
       insert into verification_attempt (request_id, number, account_id, payer_id, channel)
       select request_id, 1, account_id, payer_id, channel from leased
     )
     select request_id as id, lease as token from leased`,
  );
  const tokens = new Map(rows.map(({ id, token }) => [id, token]));
  return requests.map((request) => ({
    path: `/work/${request.request_id}/submit`,
    body: JSON.stringify({
      lease_token: tokens.get(request.request_id ?? ''),
      insurance_data: anOutput(request).insurance_data,
    }),
  }));
}
