import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PayerSimulator, startSimulator } from '@insurance-verification/payer-simulator';
import type { Batch, ReceivedBatch } from '@insurance-verification/schema';
import { makeMovable, moveDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFolder } from '../ground/a-folder.ts';
import { answerOf } from '../ground/ask.ts';
import { startService } from '../ground/start-service.ts';

const ROW_COUNT = 10_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Between two probes at most. */
const PROBE = 2 * MINUTE;

/**
 * A batch waits for a payer that is away for an hour, while the service is killed twice; then for one that stays away. On a
 * clock that is moved: of the database, and of the service.
 */
export const payerAway: FaultRow = {
  number: 32,
  fault:
    'a payer away for an hour under a batch of 10,000, with two SIGKILLs; then for good; the clock set back',
  rounds: 1,
  run: async (ground) => {
    const { tally } = ground;
    const night = await aNight(ground);
    const first = await night.send('first', 10 * HOUR);
    await until('the payer is judged to be down', () => night.isDown(), 60_000);
    for (let minutes = 0; minutes < 60; minutes += 2) {
      if (minutes === 20 || minutes === 40) await night.killAndStart();
      await night.move(PROBE);
    }
    tally.holds(await night.waits(first), 'rows left a payer that was away for an hour');
    await night.payerReturns();
    await night.move(PROBE);
    const startedAt = performance.now();
    const { counters } = await until('all are answered', () => night.ended(first), 600_000);
    tally.recovered(performance.now() - startedAt);
    tally.acknowledgedCount += ROW_COUNT;
    tally.lostCount += ROW_COUNT - counters.answered;
    tally.holds(counters.failed === 0, `${counters.failed} rows failed`);
    const [repeated] = await night.read(
      `select count(*)::int as count from (select request_id from result group by 1 having count(*) > 1) as twice`,
    );
    tally.holds(repeated?.['count'] === 0, `${String(repeated?.['count'])} rows have two results`);

    await night.payerLeaves();
    const second = await night.send('second', 10 * HOUR);
    await until('the payer is judged to be down again', () => night.isDown(), 60_000);
    await night.move(-HOUR); // the clock is set back
    await night.move(HOUR);
    await night.move(8 * HOUR - 2 * MINUTE);
    tally.holds(await night.waits(second), 'rows left before the promised time');
    await night.move(3 * MINUTE);
    const sweptAt = performance.now();
    await until('all are in the next channel', async () => (await night.byPhone()) === ROW_COUNT, 300_000);
    const seconds = Math.round((performance.now() - sweptAt) / 1_000);
    tally.facts.push(`all were in the next channel ${seconds} s after the promised time`);
    tally.holds(seconds <= 60, `the sweep took ${seconds} s`);
  },
};

async function aNight(ground: Ground) {
  const { stack } = ground;
  const databaseUrl = await ground.aDatabase();
  await makeMovable(databaseUrl);
  const folder = aFolder(stack);
  const timeFile = join(folder, 'moved');
  writeFileSync(timeFile, '0');
  const payerPort = await freePort();
  const payersFile = join(folder, 'payers.json');
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['api', 'manual_phone_call'],
    x12: {
      url: `http://127.0.0.1:${payerPort}/`,
      sender_id: 'IVSERVICE',
      receiver_id: 'SIMULATOR',
      test: true,
    },
  }));
  writeFileSync(payersFile, JSON.stringify({ payers }));
  const port = await freePort();
  const start = () =>
    startService(ground, {
      databaseUrl,
      port,
      roles: 'http,verification',
      env: {
        PAYERS_FILE: payersFile,
        MOVED_TIME_FILE: timeFile,
        NODE_OPTIONS: `--import=${fileURLToPath(new URL('../ground/move-service.ts', import.meta.url))}`,
      },
    });
  let service = await start();
  let payer: PayerSimulator | undefined;
  stack.defer(async () => payer?.stop());
  let movedMs = 0;
  const read = (text: string) => rows(databaseUrl, text);
  const isIdle = async () =>
    (await read(`select from work_queue where lease is not null and channel = 'api' limit 1`)).length === 0;
  const batchOf = (batchId: string) => answerOf<Batch>('GET', `${service.url}/batches/${batchId}`);
  return {
    read,
    /** Moves the time while no lease would lapse by it; while the payer is down, until the probe that is then due is over. */
    move: async (milliseconds: number) => {
      await until('nothing is under way', isIdle, 120_000);
      const probesBefore = await probeCount(databaseUrl);
      movedMs += milliseconds;
      writeFileSync(timeFile, String(movedMs));
      await moveDatabase(databaseUrl, milliseconds);
      if (milliseconds < PROBE || probesBefore === null) return;
      await until('a probe', async () => (await probeCount(databaseUrl)) !== probesBefore, 60_000);
    },
    send: async (key: string, neededInMs: number): Promise<string> => {
      const lines = Array.from({ length: ROW_COUNT }, (_, index) => {
        const body = aRequest({
          patient_info: { subscriber_id: `W${key}${index}`, name: 'Jane Doe' },
          payer_info: { name: 'Payer Plan 1' },
          callback_url: 'http://127.0.0.1:9/hook',
        });
        return `${JSON.stringify(body)}\n`;
      });
      const answer = await fetch(`${service.url}/batches`, {
        method: 'POST',
        headers: {
          'x-key': API_KEY,
          'content-type': 'application/x-ndjson',
          'idempotency-key': key,
          'needed-by': new Date(Date.now() + movedMs + neededInMs).toISOString(),
        },
        body: lines.join(''),
      });
      return ((await answer.json()) as ReceivedBatch).batch_id;
    },
    isDown: async () => (await probeCount(databaseUrl)) !== null,
    killAndStart: async () => {
      await service.kill();
      service = await start();
    },
    payerReturns: async () => {
      payer = await startSimulator({ port: payerPort });
    },
    payerLeaves: async () => {
      await payer?.stop();
      payer = undefined;
    },
    waits: async (batchId: string) => {
      const { counters } = await batchOf(batchId);
      const [left] = await read(
        `select count(*)::int as count from work_queue where channel not in ('entry', 'api')`,
      );
      return counters.waiting + counters.working === ROW_COUNT && left?.['count'] === 0;
    },
    ended: async (batchId: string) => {
      const batch = await batchOf(batchId);
      return batch.state === 'ended' && batch;
    },
    byPhone: async () => {
      const [row] = await read(
        `select count(*)::int as count from work_queue where channel = 'manual_phone_call'`,
      );
      return row?.['count'];
    },
  };
}

/** Probes of the outage that lasts; null while the payer answers. */
async function probeCount(databaseUrl: string): Promise<number | null> {
  const [row] = await rows<{ count: number }>(
    databaseUrl,
    `select probe_count as count from payer_outage where ended_at is null`,
  );
  return row?.count ?? null;
}
