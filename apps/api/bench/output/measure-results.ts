import type { RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { createRequests } from '../delivery/submit-results.ts';
import { API_KEY, type BenchDatabase } from '../ground/bench-server.ts';
import { composePost, openPostConnection } from '../ground/post-connection.ts';
import { startProcess } from '../ground/start-process.ts';
import { type Contestant, servicesOf, withFastapi } from '../intake/contestants.ts';
import { measureUsage } from '../machine.ts';
import type { Ground, Part } from '../part.ts';
import { type CpuUs, cpuText, latencyText, middleOf, rateText, ratioOf } from '../report.ts';

/** Concurrent callers of a burst: a dozen times the connections of the service's pool. */
const BURST_COUNT = 256;

/** Results submitted per second of a measurement's planned length. */
const RESULTS_PER_SECOND = 2_000;

/** Calls before anything counts: they compile the hot code. */
const WARM_COUNT = 8_000;

/** Microseconds of CPU, of node and PostgreSQL, that a result may take at the most connections. */
const CPU_US_MAX = 600;

interface Call {
  readonly path: string;
  readonly body: string;
}

interface Load {
  readonly name: string;
  /** The least share of what a version before does with as many connections. */
  readonly shareMin: number;
  readonly callsFor: (database: BenchDatabase, requests: readonly RequestModel[]) => Promise<readonly Call[]>;
}

const OUTPUTS: Load = {
  name: 'results',
  shareMin: 0.9,
  callsFor: async (_, requests) =>
    requests.map((request) => ({ path: '/verification-output', body: JSON.stringify(anOutput(request)) })),
};

const WORK: Load = { name: 'results of leased work', shareMin: 0.8, callsFor: leaseAll };

/** One measurement of one contestant. Values from /proc are NaN on machines without it. */
interface Accepted extends CpuUs {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refusedCount: number;
}

/**
 * Outputs, and results of verifiers who hold the leases, from a few connections and in a burst of far more callers than
 * the pool has connections. The processes only accept; delivery is another role. Versions before take turns, and FastAPI
 * with a model of the output and one UPDATE.
 */
export const results: Part = {
  name: 'results',
  run: async (ground) => {
    const services = servicesOf(ground);
    await compare(ground, OUTPUTS, withFastapi(ground, services));
    await compare(ground, WORK, services);
  },
};

/** Measures the contestants in turn, and says what each did. */
async function compare(ground: Ground, load: Load, contestants: readonly Contestant[]): Promise<void> {
  const { settings, say, miss } = ground;
  const callerCounts = [...settings.connectionCounts, BURST_COUNT];
  const measured = new Map(contestants.map(({ name }) => [name, callerCounts.map((): Accepted[] => [])]));
  for (let round = 0; round < settings.rounds; round += 1)
    for (const { name, program } of round % 2 === 0 ? contestants : contestants.toReversed())
      for (const [index, one] of (await measure(ground, { load, program, callerCounts })).entries())
        measured.get(name)?.[index]?.push(one);
  for (const [index, callerCount] of callerCounts.entries()) {
    say(`\n${load.name}, ${callerCount} callers: medians of ${settings.rounds} rounds; CPU a result`);
    const service = measured.get('service')?.[index] ?? [];
    for (const { name } of contestants) {
      const [first, ...more] = measured.get(name)?.[index] ?? [];
      if (!first) continue;
      const { perSecond, refusedCount, ...middle } = middleOf<Accepted>([first, ...more]);
      const refused = refusedCount > 0 ? `, ${refusedCount} refused` : '';
      const share = ratioOf(service, [first, ...more]);
      const ratio = name === 'service' ? '' : `; the service is ${share.toFixed(2)} of it`;
      say(
        `  ${name.padEnd(8)}  ${rateText(perSecond)}, ${latencyText(middle)}, CPU ${cpuText(middle)}${refused}${ratio}`,
      );
      const shareMin = shareMinOf(name, load, callerCount);
      if (share < shareMin)
        miss(
          `${load.name}: ${share.toFixed(2)} of ${name} with ${callerCount} callers, and ${shareMin} is due.`,
        );
      const cpuUs = middle.allUs + middle.postgresUs;
      if (name === 'service' && callerCount === Math.max(...settings.connectionCounts) && cpuUs > CPU_US_MAX)
        miss(`${load.name} took ${Math.round(cpuUs)} µs of CPU each, and may take ${CPU_US_MAX}.`);
    }
  }
}

/** FastAPI has a bound at the most connections; a burst has none. */
function shareMinOf(name: string, { shareMin }: Load, callerCount: number): number {
  if (name === 'service' || callerCount === BURST_COUNT) return 0;
  if (name !== 'fastapi') return shareMin;
  return callerCount >= 64 ? 1 : 0;
}

interface Measurement {
  readonly load: Load;
  readonly program: Contestant['program'];
  readonly callerCounts: readonly number[];
}

/** Measures one contestant on a fresh database, for each number of callers. */
async function measure(
  { settings, server }: Ground,
  { load, program, callerCounts }: Measurement,
): Promise<readonly Accepted[]> {
  await using database = await server.aDatabase();
  const running = await startProcess(program, { ...database.env, ROLES: 'http' });
  try {
    const target = { url: running.url, apiKey: API_KEY };
    const count = Math.ceil(RESULTS_PER_SECOND * settings.seconds);
    const wanted = WARM_COUNT + callerCounts.length * count;
    const requests = await createRequests(target, ['http://127.0.0.1:9/verified'], wanted);
    const headers = { 'content-type': 'application/json', 'x-key': API_KEY };
    const calls = await load.callsFor(database, requests);
    const posts = calls.map(({ path, body }) => composePost(`${running.url}${path}`, headers, body));
    await handIn(running.url, posts.splice(0, WARM_COUNT), Math.max(...callerCounts));
    const measured: Accepted[] = [];
    for (const callerCount of callerCounts) {
      await database.client.query('analyze');
      const usageSince = measureUsage(running.pid, server.pid);
      const startedAt = performance.now();
      const { latenciesMs, refusedCount } = await handIn(running.url, posts.splice(0, count), callerCount);
      const acceptedCount = latenciesMs.length;
      const usage = usageSince();
      const percentile = (part: number) => latenciesMs[Math.floor(acceptedCount * part)] ?? Number.NaN;
      const each = (us: number | undefined) => (us ?? Number.NaN) / acceptedCount;
      measured.push({
        perSecond: (acceptedCount * 1_000) / (performance.now() - startedAt),
        p50Ms: percentile(0.5),
        p99Ms: percentile(0.99),
        refusedCount,
        mainUs: each(usage?.mainUs),
        allUs: each(usage?.allUs),
        postgresUs: each(usage?.postgresUs),
      });
    }
    return measured;
  } finally {
    await running.stop();
  }
}

/** Makes each call once; every caller takes the next one as soon as it is answered. */
async function handIn(url: string, posts: readonly Buffer[], callerCount: number) {
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
  await Promise.all(Array.from({ length: callerCount }, caller));
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
