import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, CreatedEndpoint, ReceivedBatch, WorkItem } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import { aFinding } from '../../test/verification/work.ts';
import type { FaultRow } from '../fault-row.ts';
import { answerOf, ask } from '../ground/ask.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const ROW_COUNT = 3_000;

/** Rows that are answered when the batch is canceled. */
const ANSWERED_COUNT = 50;

const CHANNELS = ['manual_web_portal', 'manual_phone_call'];

/** From a cancel's answer on nothing of the batch is leased, and all of it ends, although the service is killed meanwhile. */
export const canceledBatchUnderKills: FaultRow = {
  number: 31,
  fault: 'SIGKILL of the API while the rows of a canceled batch are closed, and verifiers claim',
  rounds: 6,
  run: async (ground) => {
    const { tally, stack } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 4 });
    let secret = '';
    const endpoint = await startReceiver(ground, { secret: () => secret });
    const port = await freePort();
    const start = () => startService(ground, { databaseUrl, port });
    let service = await start();
    const body = { url: endpoint.urls[0], types: ['batch.ended'] };
    ({ secret } = await answerOf<CreatedEndpoint>('POST', `${service.url}/endpoints`, { body }));
    const { batch_id: batchId } = await send(service.url, receiver.urls);
    const leasedLate: string[] = [];
    let isCanceled = false;
    let isOver = false;
    const verifying = [1, 2, 3].map(async () => {
      while (!isOver) {
        const wasCanceled = isCanceled;
        const claimed = await ask('POST', `${service.url}/work/claim`, {
          body: { channels: CHANNELS, max: 5 },
        }).catch(() => null);
        const items = claimed?.status === 200 ? (claimed.json as { items: WorkItem[] }).items : [];
        if (wasCanceled) leasedLate.push(...items.map(({ request }) => request.request_id ?? ''));
        for (const item of items)
          await ask('POST', `${service.url}/work/${item.request.request_id}/submit`, {
            body: { lease_token: item.lease_token, insurance_data: [aFinding(item)] },
          }).catch(() => null);
        if (items.length === 0) await pause(50);
      }
    });
    stack.defer(async () => {
      isOver = true;
      await Promise.all(verifying);
    });
    const batchOf = () => answerOf<Batch>('GET', `${service.url}/batches/${batchId}`);
    await until('some rows are answered', async () => (await batchOf()).counters.answered >= ANSWERED_COUNT);
    await answerOf('POST', `${service.url}/batches/${batchId}/cancel`);
    isCanceled = true;

    for (let round = 0; round < ground.rounds; round += 1) {
      await pause(200 + Math.random() * 800);
      const killedAt = performance.now();
      await service.kill();
      service = await start();
      tally.recovered(performance.now() - killedAt);
    }
    const { counters, outcome } = await until(
      'the batch has ended',
      async () => {
        const batch = await batchOf();
        return batch.state === 'ended' && batch;
      },
      300_000,
    );
    const { answered, closed, failed } = counters;
    tally.acknowledgedCount += ROW_COUNT;
    tally.lostCount += ROW_COUNT - answered - closed;
    tally.holds(leasedLate.length === 0, `${leasedLate.length} requests were leased after the cancel`);
    tally.holds(outcome === 'some' && failed === 0, `the batch ended as ${outcome}, with ${failed} failures`);
    const [queued] = await rows<{ count: number }>(
      databaseUrl,
      'select count(*)::int as count from work_queue',
    );
    tally.holds(queued?.count === 0, `${queued?.count} rows are in the queue`);
    await until('its end arrived', () => endpoint.arrivals.size === 1, 30_000);
    await until('each result arrived', () => receiver.arrivals.size === ROW_COUNT, 120_000);
    tally.facts.push(`${answered} answered, ${closed} closed`);
  },
};

async function send(url: string, callbackUrls: readonly string[]): Promise<ReceivedBatch> {
  const lines = Array.from({ length: ROW_COUNT }, (_, index) => {
    const callback_url = callbackUrls[index % callbackUrls.length] ?? '';
    return `${JSON.stringify({ ...aRequest({ callback_url }), reference: `r${index + 1}` })}\n`;
  });
  const answer = await fetch(`${url}/batches`, {
    method: 'POST',
    headers: { 'x-key': API_KEY, 'content-type': 'application/x-ndjson', 'idempotency-key': 'canceled' },
    body: lines.join(''),
  });
  return (await answer.json()) as ReceivedBatch;
}
