import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSimulator } from '@insurance-verification/payer-simulator';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '../ground/bench-server.ts';
import { composePost, openPostConnection } from '../ground/post-connection.ts';
import { startProcess } from '../ground/start-process.ts';
import { type Contestant, servicesOf } from '../intake/contestants.ts';
import { measureUsage } from '../machine.ts';
import type { Ground, Part } from '../part.ts';
import { type CpuUs, cpuText, middleOf, rateText, ratioOf } from '../report.ts';

/** Concurrent posts. */
const POSTING_COUNT = 16;

const RECEIVER_COUNT = 16;

/** The least share of what a version before does. */
const SHARE_MIN = 0.85;

/**
 * Requests before anything counts. The first 150 take 6 ms of node's CPU each, after 1,000 it is 2.2, and after 8,000, when
 * all hot code is compiled, 1.8.
 */
const WARM_COUNT = 8_000;

/** Without codes: every version asks once about it, where with codes later ones send a second inquiry after an Active. */
const REQUEST = aRequest({ cpt_code_coverage: [] });

/** Request in, payer asked, result delivered: as many per second as possible, with everything on this machine. */
export const apiChannel: Part = {
  name: 'api-channel',
  run: async (ground) => {
    const { settings, say, miss } = ground;
    const all = servicesOf(ground).map((contestant) => ({ ...contestant, rounds: [] as RoundTrips[] }));
    for (let round = 0; round < settings.rounds; round += 1)
      for (const { program, rounds } of round % 2 === 0 ? all : all.toReversed())
        rounds.push(await measure(ground, program));
    say(
      `\napi channel, from post to webhook: medians of ${settings.rounds} rounds of ${settings.seconds} s; CPU each`,
    );
    const service = all.find(({ name }) => name === 'service')?.rounds ?? [];
    for (const { name, rounds } of all) {
      const [first, ...more] = rounds;
      if (!first) continue;
      const { perSecond, ...cpu } = middleOf<RoundTrips>([first, ...more]);
      const share = ratioOf(service, rounds);
      const ratio = name === 'service' ? '' : `; the service is ${share.toFixed(2)} of it`;
      if (share < SHARE_MIN) miss(`A round trip: ${share.toFixed(2)} of ${name}, and ${SHARE_MIN} is due.`);
      say(`  ${name.padEnd(8)}  ${rateText(perSecond)}, CPU ${cpuText(cpu)}${ratio}`);
    }
  },
};

interface RoundTrips extends CpuUs {
  readonly perSecond: number;
}

async function measure(
  { settings, folder, server }: Ground,
  program: Contestant['program'],
): Promise<RoundTrips> {
  const { seconds } = settings;
  await using database = await server.aDatabase();
  const simulator = await startSimulator();
  const payersFile = join(folder, 'payers.json');
  const payers = DEFAULT_PAYERS.map((name, index) => ({
    id: `plan-${index + 1}`,
    name,
    channels: ['api'],
    x12: {
      url: simulator.url,
      sender_id: 'IVBENCH',
      receiver_id: 'SIMULATOR',
      test: true,
      in_flight_max: 50,
    },
  }));
  writeFileSync(payersFile, JSON.stringify({ payers }));
  let arrivedCount = 0;
  const arrivals = new EventEmitter().setMaxListeners(0);
  const nextArrival = () => once(arrivals, 'arrived');
  // Several: deliveries to one host are capped, and the cap would be measured instead.
  const receivers = await Promise.all(
    Array.from({ length: RECEIVER_COUNT }, async (_, index) => {
      const receiver = createServer((req, res) => {
        req.resume().once('end', () => {
          res.end();
          arrivedCount += 1;
          arrivals.emit('arrived');
        });
      });
      const host = `127.0.0.${index + 1}`;
      await new Promise<void>((resolve) => receiver.listen(0, host, resolve));
      return { receiver, url: `http://${host}:${(receiver.address() as AddressInfo).port}/hook` };
    }),
  );
  const service = await startProcess(program, { ...database.env, PAYERS_FILE: payersFile });
  try {
    const headers = { 'content-type': 'application/json', 'x-key': API_KEY };
    const posts = receivers.map(({ url }) =>
      composePost(`${service.url}/requests/`, headers, JSON.stringify({ ...REQUEST, callback_url: url })),
    );
    /** Posts for as long as there is need, and returns when all that was posted has arrived. */
    const run = async (isEnough: (postedCount: number) => boolean) => {
      let postedCount = 0;
      arrivedCount = 0;
      const post = async () => {
        const connection = await openPostConnection(service.url);
        while (!isEnough(postedCount)) {
          const next = posts[postedCount % posts.length] as Buffer;
          postedCount += 1;
          const status = await connection.send(next);
          if (status !== 200) throw new Error(`A request was answered ${status}.`);
          // Bounded by the channel's capacity: the measurement covers the whole path, not the queue's length.
          while (postedCount - arrivedCount > 200) await nextArrival();
        }
        connection.close();
      };
      await Promise.all(Array.from({ length: POSTING_COUNT }, post));
      while (arrivedCount < postedCount) await nextArrival();
    };
    await run((postedCount) => postedCount >= WARM_COUNT);
    await database.client.query('analyze');
    const usageSince = measureUsage(service.pid, server.pid);
    const startedAt = performance.now();
    await run(() => performance.now() - startedAt >= 1_000 * seconds);
    const count = arrivedCount;
    const perSecond = (1_000 * count) / (performance.now() - startedAt);
    const usage = usageSince();
    const each = (us: number | undefined) => (us ?? Number.NaN) / count;
    return {
      perSecond,
      mainUs: each(usage?.mainUs),
      allUs: each(usage?.allUs),
      postgresUs: each(usage?.postgresUs),
    };
  } finally {
    await service.stop();
    await simulator.stop();
    for (const { receiver } of receivers) {
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    }
  }
}
