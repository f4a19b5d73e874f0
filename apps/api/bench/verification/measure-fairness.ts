import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSimulator } from '@insurance-verification/payer-simulator';
import { DEFAULT_PAYERS, type PatientInfo } from '@insurance-verification/schema';
import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import { anotherKey, sendBatch } from '../intake/measure-batches.ts';
import type { Ground, Part } from '../part.ts';
import { latencyText } from '../report.ts';

/** Rows of the batch: as many as one may have. */
const ROW_COUNT = 100_000;

/** The payer's places: the batch has a quarter of them. */
const IN_FLIGHT_MAX = 50;

interface Load {
  /** The simulated payer answers soon, or not, by the patient. */
  readonly patient: PatientInfo;
  /** Milliseconds between two requests of the other account, which leave the payer more than half of its places. */
  readonly eachMs: number;
}

/** By when the payer answers. */
const LOADS: Readonly<Record<string, Load>> = {
  'after two seconds': { patient: aPatient({ subscriber_id: 'SIM-SLOW' }), eachMs: 100 },
  'at once': { patient: aPatient(), eachMs: 25 },
};

/** Another account's time from post to webhook, over a simulated payer: first without a batch, then while one of 100,000 rows is worked on. */
export const fairness: Part = {
  name: 'fairness',
  run: async (ground) => {
    ground.say(`\nfairness: another account, from post to webhook, with a batch of ${ROW_COUNT} rows`);
    for (const [answers, load] of Object.entries(LOADS)) {
      const { quiet, busy, workedCount } = await measure(ground, load);
      const ratio = p99Of(busy) / p99Of(quiet);
      ground.say(
        `  a payer that answers ${answers}: ${latencyText(middleOf(quiet))}; with the batch ${latencyText(middleOf(busy))}: p99 ${ratio.toFixed(2)} of it; ${workedCount.toLocaleString('en')} rows were answered meanwhile`,
      );
    }
  },
};

const p99Of = (latenciesMs: readonly number[]) =>
  latenciesMs.toSorted((a, b) => a - b)[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN;

const middleOf = (latenciesMs: readonly number[]) => ({
  p50Ms: latenciesMs.toSorted((a, b) => a - b)[Math.floor(latenciesMs.length / 2)] ?? Number.NaN,
  p99Ms: p99Of(latenciesMs),
});

async function measure({ settings, folder, server }: Ground, { patient, eachMs }: Load) {
  await using database = await server.aDatabase();
  await using stack = new AsyncDisposableStack();
  const simulator = await startSimulator();
  stack.defer(() => simulator.stop());
  const payersFile = join(folder, 'payers-of-fairness.json');
  const x12 = {
    url: simulator.url,
    sender_id: 'IVBENCH',
    receiver_id: 'SIMULATOR',
    test: true,
    in_flight_max: IN_FLIGHT_MAX,
  };
  const payers = DEFAULT_PAYERS.map((name, index) => ({
    id: `plan-${index + 1}`,
    name,
    channels: ['api'],
    x12,
  }));
  writeFileSync(payersFile, JSON.stringify({ payers }));
  const arrivedAt = new Map<string, number>();
  let batchCount = 0;
  const receiver = createServer((req, res) => {
    req.resume().once('end', () => {
      res.end();
      if (req.url === '/batch') batchCount += 1;
      else arrivedAt.set(req.url ?? '', performance.now());
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo;
  const service = await startProcess(SERVICE, { ...database.env, PAYERS_FILE: payersFile });
  stack.defer(async () => void (await service.stop()));
  const key = await anotherKey(service.url);

  /** Posts a request every so often, and returns how long each took until its webhook came. */
  const follow = async (seconds: number): Promise<number[]> => {
    const postedAt = new Map<string, number>();
    const headers = { 'content-type': 'application/json', 'x-key': key };
    const endsAt = performance.now() + 1_000 * seconds;
    while (performance.now() < endsAt) {
      const path = `/${randomUUID()}`;
      postedAt.set(path, performance.now());
      const body = JSON.stringify(
        aRequest({ patient_info: patient, callback_url: `http://localhost:${port}${path}` }),
      );
      const answer = await fetch(`${service.url}/requests/`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`A request was answered ${answer.status}.`);
      await pause(eachMs);
    }
    while ([...postedAt.keys()].some((path) => !arrivedAt.has(path))) await pause(10);
    return [...postedAt].map(([path, at]) => (arrivedAt.get(path) ?? Number.NaN) - at);
  };

  await follow(settings.seconds);
  const quiet = await follow(3 * settings.seconds);
  await sendBatch(service.url, ROW_COUNT, {
    patient_info: patient,
    callback_url: `http://127.0.0.1:${port}/batch`,
  });
  await database.client.query('analyze'); // as autovacuum does within a minute
  await follow(settings.seconds);
  const before = batchCount;
  const busy = await follow(3 * settings.seconds);
  return { quiet, busy, workedCount: batchCount - before };
}
