import { randomUUID } from 'node:crypto';
import type { Account, CreatedApiKey, ReceivedBatch, RequestInfo } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Ground, Part } from '../part.ts';
import { medianOf } from '../report.ts';
import { type Answers, postLoad } from './post-load.ts';

/** Rows of the first batch, which compiles the code. */
const WARM_ROW_COUNT = 10_000;

/** Rows of the batch: as many as one may have. */
const ROW_COUNT = 100_000;

/** Connections of the account whose requests come one by one. */
const SINGLE_CONNECTIONS = 64;

/** Connections of another account, which sends a request now and then while the batch comes. */
const OTHER_CONNECTIONS = 2;

/**
 * A batch of 100,000 rows in the same run as creates one by one: its rows a second as a part of theirs, its memory, and
 * the latency of another account while it comes. Each round has a service and a database of its own.
 */
export const batches: Part = {
  name: 'batches',
  run: async (ground) => {
    const { settings, say } = ground;
    const rounds: Round[] = [];
    for (let round = 0; round < settings.rounds; round += 1) rounds.push(await measureRound(ground));
    const middle = (valueOf: (round: Round) => number) => medianOf(rounds.map(valueOf));
    const number = (value: number) => Math.round(value).toLocaleString('en');
    say(`\nbatches: medians of ${settings.rounds} rounds; ${number(ROW_COUNT)} rows`);
    say(
      `  ${number(middle((one) => one.rowsPerSecond))} rows/s; one by one at ${SINGLE_CONNECTIONS} connections ${number(middle((one) => one.singlesPerSecond))}/s: ${middle((one) => one.rowsPerSecond / one.singlesPerSecond).toFixed(2)} of it`,
    );
    say(
      `  memory: ${number(middle((one) => one.addedMb))} MB more at its highest than the creates took; reading its counters takes ${number(middle((one) => one.countMs))} ms`,
    );
    say(
      `  another account, ${OTHER_CONNECTIONS} connections: p99 ${middle((one) => one.quietP99Ms).toFixed(1)} ms, ${middle((one) => one.busyP99Ms).toFixed(1)} while the batch comes: ${middle((one) => one.busyP99Ms / one.quietP99Ms).toFixed(2)} of it`,
    );
  },
};

interface Round {
  readonly rowsPerSecond: number;
  readonly singlesPerSecond: number;
  readonly addedMb: number;
  readonly countMs: number;
  readonly quietP99Ms: number;
  readonly busyP99Ms: number;
}

async function measureRound({ settings, server }: Ground): Promise<Round> {
  await using database = await server.aDatabase();
  const running = await startProcess(SERVICE, database.env);
  const { url } = running;
  const otherKey = await anotherKey(url);
  const singles = (seconds: number) =>
    post(url, { key: API_KEY, connectionCount: SINGLE_CONNECTIONS, seconds });
  const others = (seconds: number) =>
    post(url, { key: otherKey, connectionCount: OTHER_CONNECTIONS, seconds });
  await singles(2 * settings.seconds);
  const startedAt = performance.now();
  const { okCount } = await singles(settings.seconds);
  const singlesPerSecond = (1000 * okCount) / (performance.now() - startedAt);
  const quiet = await others(settings.seconds);
  const before = running.peakMemoryMb();
  await sendBatch(url, WARM_ROW_COUNT);
  const sentAt = performance.now();
  const batch = await sendBatch(url, ROW_COUNT);
  const rowsPerSecond = (1000 * ROW_COUNT) / (performance.now() - sentAt);
  const addedMb = running.peakMemoryMb() - before;
  const countedAt = performance.now();
  await fetch(`${url}/batches/${batch.batch_id}`, { headers: { 'x-key': API_KEY } });
  const countMs = performance.now() - countedAt;
  const [busy] = await Promise.all([others(settings.seconds), sendBatch(url, ROW_COUNT)]);
  await running.stop();
  return {
    rowsPerSecond,
    singlesPerSecond,
    addedMb,
    countMs,
    quietP99Ms: p99Of(quiet),
    busyP99Ms: p99Of(busy),
  };
}

const p99Of = ({ latenciesMs }: Answers) => latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN;

const row = aRequest({ callback_url: 'https://receiver.example/verified' });

function post(
  url: string,
  { key, ...load }: { readonly key: string; readonly connectionCount: number; readonly seconds: number },
): Promise<Answers> {
  return postLoad({
    url: `${url}/requests/`,
    headers: { 'content-type': 'application/json', 'x-key': key },
    body: JSON.stringify(row),
    ...load,
  });
}

/** Sends the file as it is read by the service, a thousand rows at a time. */
export async function sendBatch(
  url: string,
  rowCount: number,
  changes: Partial<RequestInfo> = {},
): Promise<ReceivedBatch> {
  let left = rowCount / 1_000;
  const body = new ReadableStream({
    pull: (controller) => {
      if (left === 0) return controller.close();
      left -= 1;
      const lines = Array.from({ length: 1_000 }, (_, index) =>
        JSON.stringify({ ...row, ...changes, reference: `visit-${left}-${index}` }),
      );
      controller.enqueue(Buffer.from(`${lines.join('\n')}\n`));
    },
  });
  const answer = await fetch(`${url}/batches`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'x-key': API_KEY, 'idempotency-key': randomUUID() },
    body,
    duplex: 'half',
  });
  if (answer.status !== 202) throw new Error(`The batch got a ${answer.status}.`);
  return (await answer.json()) as ReceivedBatch;
}

/** The key of another account. */
export async function anotherKey(url: string): Promise<string> {
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', 'x-key': API_KEY };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return (await answer.json()) as T;
  };
  const { account_id } = await ask<Account>('/accounts', { name: 'Another clinic' });
  return (await ask<CreatedApiKey>('/keys', { account_id, scopes: ['requests'] })).key;
}
