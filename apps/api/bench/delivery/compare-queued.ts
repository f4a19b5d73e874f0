import { API_KEY } from '../ground/bench-server.ts';
import { type Command, type RunningProcess, SERVICE, startProcess } from '../ground/start-process.ts';
import { measureUsage } from '../machine.ts';
import type { Ground } from '../part.ts';
import { cpuText, middleOf, rateText, ratioOf, shareText } from '../report.ts';
import { type Peer, peersOf } from './peers.ts';
import type { Receivers } from './start-receivers.ts';
import { createRequests, submitAll } from './submit-results.ts';

/** One measurement of posts to the receivers. Values from /proc are NaN on machines without it. */
interface Posting {
  readonly perSecond: number;
  /** Microseconds of CPU per post. */
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
  readonly idleShare: number;
}

/** Concurrent posts: the service's in-flight limit for one account. */
const CONCURRENCY = 100;
const BODY_BYTES = 900;

/**
 * Warm-up posts of the floor's process, and warm-up deliveries for one that counts: they compile the hot code. Cold, the
 * floor reaches 10,000 to 14,000 a second; warm, 23,000. A worker is compiled after some 8,000 deliveries.
 */
const FLOOR_WARM_COUNT = 30_000;
const WARM_SHARE = 2;

/**
 * Compares senders in turn: the service with results queued while no worker ran; the floor, which is undici posting as many
 * bodies of the same size; and, if requested, versions before, and the peers with the same posts in their own queues.
 */
export async function compareQueued(ground: Ground, receivers: Receivers): Promise<void> {
  const { settings, before, say } = ground;
  const measures: (readonly [string, () => Promise<Posting>])[] = [
    ['floor', () => measureFloor(ground, receivers)],
    ['service', () => measureService(ground, receivers, SERVICE)],
    ...before.map(
      ({ commit, command }) => [commit, () => measureService(ground, receivers, command)] as const,
    ),
    ...peersOf(ground).map((peer) => [peer.name, () => measurePeer(ground, receivers, peer)] as const),
  ];
  const all = measures.map(([name, measure]) => ({ name, measure, rounds: [] as Posting[] }));
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const { measure, rounds } of round % 2 === 0 ? all : all.toReversed()) rounds.push(await measure());
  }
  const hosts = receivers.urls.quick.length;
  const count = countOf(ground);
  say(
    `\ndelivery, ${count} queued for ${hosts} hosts: medians of ${settings.rounds} rounds, warm; CPU a delivery`,
  );
  const service = all.find(({ name }) => name === 'service')?.rounds ?? [];
  for (const { name, rounds } of all) {
    const [first, ...more] = rounds;
    if (!first) continue;
    const { perSecond, idleShare, ...cpu } = middleOf<Posting>([first, ...more]);
    const ratio = name === 'service' ? '' : `; the service is ${ratioOf(service, rounds).toFixed(2)} of it`;
    say(
      `  ${name.padEnd(15)}  ${rateText(perSecond)}, CPU ${cpuText(cpu)}, idle ${shareText(idleShare)}${ratio}`,
    );
  }
}

const countOf = ({ settings }: Ground) => Math.ceil(1_000 * settings.seconds);

async function measureFloor(ground: Ground, receivers: Receivers): Promise<Posting> {
  const count = 4 * countOf(ground);
  return measurePosts(ground, receivers, { warmCount: FLOOR_WARM_COUNT, count }, () =>
    startProcess('bench/delivery/floor-poster.ts', {
      URLS: receivers.urls.quick.join(' '),
      COUNT: String(FLOOR_WARM_COUNT + count),
      CONCURRENCY: String(CONCURRENCY),
      BODY_BYTES: String(BODY_BYTES),
    }),
  );
}

async function measureService(
  ground: Ground,
  receivers: Receivers,
  program: string | Command,
): Promise<Posting> {
  const count = countOf(ground);
  const warmCount = WARM_SHARE * count;
  await using database = await ground.server.aDatabase();
  const http = await startProcess(program, { ...database.env, ROLES: 'http' });
  const target = { url: http.url, apiKey: API_KEY };
  await submitAll(target, await createRequests(target, receivers.urls.quick, warmCount + count));
  await http.stop();
  await database.client.query('analyze');
  // Awaited here: the database is dropped when this function ends.
  return await measurePosts(ground, receivers, { warmCount, count }, () =>
    startProcess(program, { ...database.env, ROLES: 'delivery' }),
  );
}

async function measurePeer(ground: Ground, receivers: Receivers, { file }: Peer): Promise<Posting> {
  const count = countOf(ground);
  const warmCount = WARM_SHARE * count;
  await using database = await ground.server.aDatabase();
  const env = {
    DATABASE_URL: database.env['DATABASE_URL'] ?? '',
    URLS: receivers.urls.quick.join(' '),
    COUNT: String(warmCount + count),
    BODY_BYTES: String(BODY_BYTES),
  };
  const filler = await startProcess(file, { ...env, STEP: 'fill' });
  await filler.stop();
  await database.client.query('analyze');
  return await measurePosts(ground, receivers, { warmCount, count }, () => startProcess(file, env));
}

/** Measures from the last warm-up post to the last of all, by the receivers' clock. */
async function measurePosts(
  { server }: Ground,
  receivers: Receivers,
  { warmCount, count }: { readonly warmCount: number; readonly count: number },
  start: () => Promise<RunningProcess>,
): Promise<Posting> {
  await receivers.forget();
  const sender = await start();
  const warmAt = await receivers.reached(warmCount);
  const usageSince = measureUsage(sender.pid, server.pid);
  const doneAt = await receivers.reached(warmCount + count);
  const usage = usageSince();
  await sender.stop();
  const each = (us: number | undefined) => (us ?? Number.NaN) / count;
  return {
    perSecond: count / ((doneAt - warmAt) / 1000),
    mainUs: each(usage?.mainUs),
    allUs: each(usage?.allUs),
    postgresUs: each(usage?.postgresUs),
    idleShare: usage?.idleShare ?? Number.NaN,
  };
}
