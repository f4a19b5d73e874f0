import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Batch,
  BatchList,
  CreatedEndpoint,
  ReceivedBatch,
  RequestModel,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { freePort } from '@insurance-verification/testing/free-port';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { answerOf, ask } from '../ground/ask.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Rows of a file; each seventh is rejected. */
const ROW_COUNT = 300;
const BAD_COUNT = Math.floor(ROW_COUNT / 7);

/** Rows sent at once, and milliseconds between: a file takes a third of a second. */
const PART_COUNT = 25;
const PART_MS = 25;

/** Each row of a file becomes one request, and each batch ends once, although the service or the client is killed while the file comes. */
export const batchesUnderKills: FaultRow = {
  number: 30,
  fault: 'SIGKILL of the API, or of the client, while a batch comes; its rows are answered meanwhile',
  rounds: 20,
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
    const file = partsOf(receiver.urls);
    const batchIds: string[] = [];
    const watching = watchCounters(service.url, (sentence) => tally.holds(false, sentence));
    stack.defer(watching.stop);
    const answering = answerRows(service.url, databaseUrl);
    stack.defer(answering.stop);

    for (let round = 0; round < ground.rounds; round += 1) {
      const key = randomUUID();
      const isServiceKilled = round % 2 === 0;
      const killedAt = performance.now();
      const cut = new AbortController();
      const sending = send(service.url, { key, file, signal: cut.signal });
      await pause(40 + Math.random() * 250);
      if (isServiceKilled) {
        await service.kill();
        await sending;
        service = await start();
      } else {
        cut.abort();
        await sending;
      }
      const batch = await until(
        'the file is received',
        async () => {
          const answer = await send(service.url, { key, file });
          tally.holds(
            answer === null || [202, 409, 503].includes(answer.status),
            `a batch got a ${answer?.status}`,
          );
          return answer?.status === 202 && (answer.json as ReceivedBatch);
        },
        60_000,
      );
      tally.recovered(performance.now() - killedAt);
      batchIds.push(batch.batch_id);
      const { received, rejected } = batch.counters;
      tally.holds(
        received === ROW_COUNT && rejected === BAD_COUNT,
        `a batch has ${received} rows, ${rejected} rejected`,
      );
    }

    const ended = await until(
      'every batch has ended',
      async () => {
        const found = await Promise.all(
          batchIds.map((id) => answerOf<Batch>('GET', `${service.url}/batches/${id}`)),
        );
        return found.every(({ state }) => state === 'ended') && found;
      },
      240_000,
    );
    const [counted] = await rows<{ batches: number; rows: number; requests: number; accepted: number }>(
      databaseUrl,
      `select (select count(*)::int from batch) as batches, (select count(*)::int from batch_row) as rows,
         (select count(*)::int from request) as requests,
         (select count(distinct request_id)::int from batch_row) as accepted`,
    );
    const requestCount = ground.rounds * (ROW_COUNT - BAD_COUNT);
    tally.acknowledgedCount += requestCount;
    tally.lostCount += requestCount - (counted?.accepted ?? 0);
    tally.duplicateCount += (counted?.requests ?? 0) - requestCount;
    tally.holds(new Set(batchIds).size === ground.rounds, 'two files are one batch');
    tally.holds(counted?.batches === ground.rounds, `${counted?.batches} batches of ${ground.rounds} files`);
    tally.holds(counted?.rows === ground.rounds * ROW_COUNT, `${counted?.rows} rows are stored`);
    tally.holds(counted?.requests === requestCount, `${counted?.requests} requests of ${requestCount} rows`);
    tally.holds(
      ended.every(({ counters }) => counters.answered === ROW_COUNT - BAD_COUNT),
      'a batch ended with a row that was not answered',
    );
    await until('each batch’s end arrived', () => endpoint.arrivals.size === ground.rounds, 30_000);
    await until('each result arrived', () => receiver.arrivals.size === requestCount, 60_000);
    const [events] = await rows<{ count: number }>(
      databaseUrl,
      `select count(*)::int as count from event where type = 'batch.ended'`,
    );
    tally.holds(events?.count === ground.rounds, `${events?.count} ends of ${ground.rounds} batches`);
    tally.facts.push(`${watching.readCount()} readings of the counters, each adds up`);
  },
};

/** The lines of a file, in the parts in which they are sent. */
function partsOf(callbackUrls: readonly string[]): readonly string[] {
  const lines = Array.from({ length: ROW_COUNT }, (_, index) => {
    const callback_url = callbackUrls[index % callbackUrls.length] ?? '';
    const isBad = (index + 1) % 7 === 0;
    const row = {
      ...aRequest({ callback_url }),
      reference: `r${index + 1}`,
      ...(isBad && { patient_info: {} }),
    };
    return `${JSON.stringify(row)}\n`;
  });
  return Array.from({ length: ROW_COUNT / PART_COUNT }, (_, part) =>
    lines.slice(part * PART_COUNT, (part + 1) * PART_COUNT).join(''),
  );
}

interface Sending {
  readonly key: string;
  readonly file: readonly string[];
  readonly signal?: AbortSignal;
}

/** Sends a file slowly; null without an answer. */
function send(
  url: string,
  { key, file, signal }: Sending,
): Promise<{ readonly status: number; readonly json: unknown } | null> {
  return new Promise((resolve) => {
    const req = request(`${url}/batches`, {
      method: 'POST',
      headers: { 'x-key': API_KEY, 'content-type': 'application/x-ndjson', 'idempotency-key': key },
      ...(signal && { signal }),
    });
    req.on('error', () => resolve(null));
    req.on('close', () => resolve(null));
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', () => resolve(null));
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    void (async () => {
      for (const part of file) {
        if (req.destroyed) return;
        req.write(part);
        await pause(PART_MS);
      }
      req.end();
    })();
  });
}

/**
 * Reads the batches again and again, also while their rows come: their counters have to add up each time, none is
 * negative, and what is answered stays so.
 */
function watchCounters(url: string, broke: (sentence: string) => void) {
  let isOver = false;
  let readCount = 0;
  const answeredCounts = new Map<string, number>();
  const reading = (async () => {
    while (!isOver) {
      await pause(20);
      const answer = await ask('GET', `${url}/batches?limit=5`).catch(() => null);
      if (answer?.status !== 200) continue;
      for (const { batch_id: id, counters } of (answer.json as BatchList).items) {
        const { received, ...others } = counters;
        const sum = Object.values(others).reduce((total, count) => total + count, 0);
        readCount += 1;
        if (sum !== received) broke(`the counters of a batch add up to ${sum} of ${received}`);
        if (Object.values(others).some((count) => count < 0)) broke('a counter of a batch is negative');
        if (counters.answered < (answeredCounts.get(id) ?? 0)) broke('fewer rows are answered than before');
        answeredCounts.set(id, counters.answered);
      }
    }
  })();
  return {
    readCount: () => readCount,
    stop: async () => {
      isOver = true;
      await reading;
    },
  };
}

/** Answers the requests that wait, as they come. */
function answerRows(url: string, databaseUrl: string) {
  let isOver = false;
  const answering = (async () => {
    while (!isOver) {
      await pause(20);
      const waiting = await rows<{ id: string }>(
        databaseUrl,
        'select request_id as id from work_queue order by random() limit 16',
      );
      await Promise.all(waiting.map(({ id }) => answerOne(url, id)));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await answering;
    },
  };
}

/** A call without an answer is made again for whatever still waits. */
async function answerOne(url: string, id: string): Promise<void> {
  const found = await ask('GET', `${url}/requests/${id}`).catch(() => null);
  if (found?.status !== 200) return;
  await ask('POST', `${url}/verification-output`, { body: anOutput(found.json as RequestModel) }).catch(
    () => null,
  );
}
