import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { watchMachine } from '../../bench/machine.ts';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

const PER_ROUND = 1_000;
const HOST_CAP = 10;

/** A live receiver may have to wait for the one-second poll, on a busy machine. */
const LIVE_P99_MS_MAX = 2_000;

const LIVE_COUNT = 300;

/** Ten at once, each answered after 5 ms, would be 2,000; a worker that waits for its poll between them reaches 20. */
const DRAIN_PER_SECOND_MIN = 100;

/** Each round queues a thousand rows for the dead host. */
export const deadHost: FaultRow = {
  number: 19,
  fault: '50,000 queued for one dead host, then it returns',
  rounds: 50,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const env = { WEBHOOK_RETRY_SCHEDULE: ['0s', ...Array.from({ length: 48 }, () => '5s')].join(',') };
    const port = await freePort();
    const deadUrl = `http://127.0.0.1:${port}/verified`;
    const http = await startService(ground, { databaseUrl, roles: 'http', env });
    const count = ground.rounds * PER_ROUND;
    const queued = startLoad(ground, {
      urls: [http.url],
      callbackUrls: [deadUrl],
      countMax: count,
      clientCount: 32,
    });
    await queued.acknowledgedMore(2 * count, 3_600_000);
    await queued.stop();

    const live = await startReceiver(ground, { hostCount: 4 });
    await startService(ground, { databaseUrl, roles: 'delivery', env });
    /** The 99th percentile from the acknowledgement to the first byte. */
    const liveP99 = async () => {
      const waitsMs: number[] = [];
      for (let index = 0; index < LIVE_COUNT; index += 1) {
        const { request_id } = await aFinishedRequest(http.url, live.urls[index % 4] ?? '');
        const acknowledgedAt = performance.now();
        await until('a live receiver is served', () => live.requestIds.has(request_id));
        waitsMs.push(performance.now() - acknowledgedAt);
        await pause(20);
      }
      return waitsMs.toSorted((a, b) => a - b)[Math.floor(LIVE_COUNT * 0.99)] ?? Number.NaN;
    };
    const shareSince = watchMachine(ground.postmasterPid);
    const whileDeadMs = await liveP99();

    const returnedAt = performance.now();
    let underWay = 0;
    let underWayMax = 0;
    const back = await startReceiver(ground, {
      port,
      answer: (res) => {
        underWay += 1;
        underWayMax = Math.max(underWayMax, underWay);
        res.once('close', () => (underWay -= 1));
        setTimeout(() => res.writeHead(204).end(), 5);
      },
    });
    const whileDrainingMs = await liveP99();
    await until('it has drained', () => back.arrivals.size >= count, 3_600_000);
    tally.recovered(performance.now() - returnedAt);
    const pending = () => rows(databaseUrl, 'select 1 from delivery where done_at is null limit 1');
    await until('all is written down', async () => (await pending()).length === 0);
    const share = shareSince();
    const undisturbedMs = await liveP99();
    const arrivedAt = [...back.arrivals.values()].flat().map(({ at }) => (at - returnedAt) / 1000);
    const firstSeconds = arrivedAt[0] ?? Number.NaN;
    const lastSeconds = arrivedAt.at(-1) ?? Number.NaN;
    const perSecond = Math.round(count / (lastSeconds - firstSeconds));

    const excuse = excuseOf(share);
    tally.holds(
      whileDeadMs < LIVE_P99_MS_MAX,
      `beside a dead host others waited ${Math.round(whileDeadMs)} ms, undisturbed ${Math.round(undisturbedMs)} ms`,
      excuse,
    );
    tally.holds(
      whileDrainingMs < LIVE_P99_MS_MAX,
      `while it drained others waited ${Math.round(whileDrainingMs)} ms, undisturbed ${Math.round(undisturbedMs)} ms`,
      excuse,
    );
    tally.holds(
      perSecond >= DRAIN_PER_SECOND_MIN,
      `it drained at ${perSecond} a second, far below its cap`,
      excuse,
    );
    tally.acknowledgedCount = count + 3 * LIVE_COUNT;
    tally.lostCount = [...queued.acceptedAt.keys()].filter((id) => !back.requestIds.has(id)).length;
    tally.duplicateCount = [...back.arrivals.values()].filter((arrivals) => arrivals.length > 1).length;
    tally.holds(tally.lostCount === 0, `${tally.lostCount} never came`);
    tally.holds(tally.duplicateCount === 0, `${tally.duplicateCount} came twice`);
    tally.holds(
      underWayMax <= HOST_CAP,
      `${underWayMax} attempts were under way at once to the host that returned`,
    );
    tally.facts.push(
      `others' p99 ${Math.round(whileDeadMs)} ms, ${Math.round(whileDrainingMs)} ms while it drains, ${Math.round(undisturbedMs)} ms undisturbed; first delivery ${firstSeconds.toFixed(1)} s after its return, last ${lastSeconds.toFixed(1)} s (${perSecond}/s), at most ${underWayMax} at once`,
    );
  },
};
