import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startOwnServer } from '@insurance-verification/store/testing/own-server';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { watchMachine } from '../../bench/machine.ts';
import type { FaultRow } from '../fault-row.ts';
import { ask } from '../ground/ask.ts';
import { createDatabase } from '../ground/postgres/create-database.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

/** Longer than a delivery's lease. */
const HANGING_MS = 15_000;

const ANSWERED_MS_MAX = 2_000;

/** A load balancer probes each second, and an answer may be cached for one. */
const UNREADY_MS_MAX = 4_000;

const CALLER_COUNT = 40;

/** The service's pool, the keys' pool, and the two probes. */
const WAITING_COUNT_MAX = 23;

/** A synchronous standby is gone: no commit returns until it is back or no longer required. */
export const hangingCommits: FaultRow = {
  number: 22,
  fault: 'commits hang: a synchronous standby is gone',
  rounds: 3,
  run: async (ground) => {
    const { tally } = ground;
    const server = await startOwnServer();
    ground.stack.defer(server.stop);
    const databaseUrl = await createDatabase(server.connectionString);
    const receiver = await startReceiver(ground, { hostCount: 8 });
    const service = await startService(ground, { databaseUrl });
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls });
    const post = (key: string) =>
      ask('POST', `${service.url}/requests/`, { body: aRequest(), headers: { 'idempotency-key': key } });
    const isReady = async () => (await ask('GET', `${service.url}/readyz`)).status === 200;
    let strayCount = 0;
    let worstMs = 0;
    let worstLiveMs = 0;
    let waitingMax = 0;
    let answerCount = 0;
    const shareSince = watchMachine(ground.postmasterPid);

    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(200);
      await isReady();
      await server.set('synchronous_standby_names', 'nobody');
      const hungAt = performance.now();
      const unready = until('it is not ready', async () => !(await isReady())).then(() =>
        tally.holds(
          performance.now() - hungAt < UNREADY_MS_MAX,
          `it was ready for ${Math.round(performance.now() - hungAt)} ms after commits had begun to hang`,
          excuseOf(shareSince()),
        ),
      );
      const isOver = () => performance.now() - hungAt > HANGING_MS;
      const keys = Array.from({ length: CALLER_COUNT }, () => randomUUID());
      const caller = async (key: string) => {
        while (!isOver()) {
          const askedAt = performance.now();
          const { status, headers } = await post(key);
          worstMs = Math.max(worstMs, performance.now() - askedAt);
          answerCount += 1;
          tally.holds(
            status === 503 && headers['retry-after'] !== undefined,
            `a call was answered ${status} while commits hang`,
          );
          await pause(50);
        }
      };
      const watch = async () => {
        while (!isOver()) {
          const askedAt = performance.now();
          const { status } = await ask('GET', `${service.url}/livez`);
          worstLiveMs = Math.max(worstLiveMs, performance.now() - askedAt);
          tally.holds(status === 200, `/livez answered ${status} while commits hang`);
          waitingMax = Math.max(waitingMax, (await server.waitingPids()).length);
          await pause(100);
        }
      };
      await Promise.all([unready, watch(), ...keys.map(caller)]);
      const stats = await ask('GET', `${service.url}/work/stats`);
      tally.holds(stats.status === 200, `what only reads was answered ${stats.status} while commits hang`);
      tally.holds(!(await isReady()), 'it was ready again while commits hang');

      await server.set('synchronous_standby_names', '');
      const freedAt = performance.now();
      await load.acknowledgedMore(2 * 16, 30_000);
      await until('it is ready', isReady);
      tally.recovered(performance.now() - freedAt);
      // The first calls' outcomes were unknown; now each request must exist exactly once.
      for (const { status } of await Promise.all(keys.map(post)))
        tally.holds(status === 200, `a retry was answered ${status}`);
      strayCount += keys.length;
    }
    await load.stop();
    tally.holds(
      worstMs <= ANSWERED_MS_MAX + worstLiveMs,
      `a call was answered after ${Math.round(worstMs)} ms, /livez after ${Math.round(worstLiveMs)} ms`,
      excuseOf(shareSince()),
    );
    tally.holds(waitingMax <= WAITING_COUNT_MAX, `${waitingMax} backends hung at once`);
    tally.facts.push(
      `${answerCount} calls answered 503 within ${Math.round(worstMs)} ms, /livez within ${Math.round(worstLiveMs)} ms; at most ${waitingMax} backends hung`,
    );
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true, strayCount });
    tally.holds((await service.stop()) === 'exit 0', `the process ended otherwise: ${service.ended()}`);
  },
};
