import type { ServerResponse } from 'node:http';
import { until } from '@insurance-verification/testing/until';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest, deliveryOf } from '../ground/a-finished-request.ts';
import { type Arrival, startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** One per host: a worker starts with two slots for an unknown host. */
const IN_FLIGHT = 5;

/** The lease of ten seconds, and one more. */
const REDELIVERED_MS_MAX = 11_000;

/** A worker dies while receivers hold its requests: another sends the same messages again, in time. */
export const killWorker: FaultRow = {
  number: 2,
  fault: 'SIGKILL of a worker mid-request',
  rounds: 10,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const answer = (res: ServerResponse, { nth }: Arrival) => void (nth > 1 && res.writeHead(204).end());
    const receiver = await startReceiver(ground, { hostCount: IN_FLIGHT, answer });
    const http = await startService(ground, { databaseUrl, roles: 'http' });
    const aWorker = () => startService(ground, { databaseUrl, roles: 'delivery' });
    let worker = await aWorker();
    for (let round = 0; round < ground.rounds; round += 1) {
      const requests = await Promise.all(receiver.urls.map((url) => aFinishedRequest(http.url, url)));
      const times = (count: number) => () =>
        requests.every(({ request_id }) => receiver.arrivalsOf(request_id).length >= count);
      await until('the receiver has them all', times(1));
      const heir = await aWorker();
      const killedAt = performance.now();
      await worker.kill();
      await until('they come again', times(2), 30_000);
      worker = heir;
      for (const { request_id } of requests) {
        const [first, second] = receiver.arrivalsOf(request_id);
        tally.recoveredWithin((second?.at ?? 0) - killedAt, REDELIVERED_MS_MAX, 'a redelivery');
        tally.holds(first?.id === second?.id, 'it came again under another webhook-id');
        const delivery = await until('the redelivery is written down', async () => {
          const found = await deliveryOf(http.url, request_id);
          return found.status === 'delivered' && found;
        });
        const outcomes = delivery.attempts.map(({ outcome }) => outcome).join(', ');
        tally.holds(
          outcomes === 'worker_lost, succeeded',
          `the attempts are shown as "${outcomes}", not as "worker_lost, succeeded"`,
        );
        tally.acknowledgedCount += 1;
        tally.duplicateCount += receiver.arrivalsOf(request_id).length - 1;
      }
    }
  },
};
