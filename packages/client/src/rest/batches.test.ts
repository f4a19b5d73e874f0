import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aClient, failureOf } from '../../test/a-client.ts';
import { aServer, type Answer, json, problem } from '../../test/a-server.ts';
import {
  ConflictError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
  UnusableInputError,
} from '../errors.ts';
import { createTrpcClient, withCreateHeaders } from '../trpc/create-trpc-client.ts';
import { createRestClient } from './create-rest-client.ts';

const row = (number: number) => ({ ...aRequest(), reference: `visit-${number}` });
const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));
const received = { batch_id: 'bat_1', state: 'running', errors: [] };

const lines =
  (...items: readonly object[]): Answer =>
  (res) =>
    res.writeHead(200).end(items.map((item) => `${JSON.stringify(item)}\n`).join(''));

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A server that handles the body itself. */
async function anOpenServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a batch is one POST of NDJSON, with its key and what it says for all rows in headers', async () => {
  const { client, seen } = await aClient([json(received, 202)]);
  const options = {
    idempotencyKey: 'march',
    mode: 'all_or_nothing',
    label: 'Visits of March',
    callbackUrl: 'https://clinic.example/verified',
    serviceDate: '2026-12-03',
    neededBy: new Date('2026-12-02T12:00:00Z'),
  } as const;
  expect(await client.batches.create(rowsTo(3), options)).toEqual(received);
  expect(seen[0]).toMatchObject({
    method: 'POST',
    target: '/batches?mode=all_or_nothing',
    body: rowsTo(3)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
    headers: {
      'x-key': 'ivk_test_key',
      'content-type': 'application/x-ndjson',
      'idempotency-key': 'march',
      'batch-label': 'Visits of March',
      'callback-url': 'https://clinic.example/verified',
      'service-date': '2026-12-03',
      'needed-by': '2026-12-02T12:00:00.000Z',
    },
  });
  await expect(client.batches.create([], { idempotencyKey: ' ' })).rejects.toBeInstanceOf(UnusableInputError);
  await expect(client.batches.create([], { idempotencyKey: 'k', label: 'März' })).rejects.toBeInstanceOf(
    UnusableInputError,
  );
});

test('the bytes of a file are sent as they are', async () => {
  const { client, seen } = await aClient([json(received, 202)]);
  async function* file() {
    yield Buffer.from('\uFEFFreference,');
    yield Buffer.from('payer_info.name\r\nvisit-1,Ärzte\r\n');
  }
  await client.batches.create(file(), { idempotencyKey: 'march', format: 'csv' });
  expect(seen[0]).toMatchObject({
    target: '/batches',
    body: '\uFEFFreference,payer_info.name\r\nvisit-1,Ärzte\r\n',
    headers: { 'content-type': 'text/csv' },
  });
});

test('a file may be whole, as text or bytes', async () => {
  const { client, seen } = await aClient([json(received, 202), json(received, 202)]);
  const text = 'reference\r\nÄrzte\r\n';
  await client.batches.create(text, { idempotencyKey: 'text', format: 'csv' });
  await client.batches.create(Buffer.from(text), { idempotencyKey: 'bytes', format: 'csv' });
  expect(seen.map(({ body }) => body)).toEqual([text, text]);
});

// Broke: a Buffer without its format was sent byte by byte, and the call hung until its time was over.
test.each<[what: string, rows: unknown, options: object, why: RegExp]>([
  ['a Buffer without a format', Buffer.from('reference\n'), {}, /pass format/],
  ['a text without a format', 'reference\n', {}, /pass format/],
  ['a stream of bytes without a format', Readable.from([Buffer.from('a')]), {}, /row 1 is not an object/],
  ['nothing', undefined, {}, /neither an iterable/],
  ['a number', 7, {}, /neither an iterable/],
  ['an object', { rows: [] }, {}, /neither an iterable/],
  ['a row that is a list', [[1]], {}, /row 1 is not an object/],
  ['a row that no JSON is', [{ a: 1n }], {}, /row 1 cannot be written as JSON/],
  ['objects with a format', [{ a: 1 }], { format: 'csv' }, /neither text nor bytes/],
])('%s is refused before a byte is sent', async (_, rows, options, why) => {
  const { client, seen } = await aClient([json(received, 202)]);
  const failure = await failureOf(
    client.batches.create(rows as never, { idempotencyKey: 'k', ...options } as never),
  );
  expect(failure).toBeInstanceOf(UnusableInputError);
  expect(failure.message).toMatch(why);
  expect(seen).toEqual([]);
});

test('a failed batch says which it left incomplete, and how many rows are stored', async () => {
  const left = { batch_id: 'bat_1', rows_stored: 4_850 };
  const detail = [{ loc: ['body', 4_900], msg: 'No CSV', type: 'csv_parsing' }];
  for (const answer of [json({ detail, ...left }, 422), json({ code: 'payload_too_large', ...left }, 413)]) {
    const { client } = await aClient([answer]);
    const failure = await failureOf(client.batches.create(rowsTo(1), { idempotencyKey: 'k' }));
    expect(failure).toMatchObject({ batch: { batchId: 'bat_1', rowsStored: 4_850 } });
  }
});

// Without it a batch of 100,000 rows would be in memory, however slow the service is.
test('no row is read that the service did not make room for', async () => {
  let read = 0;
  async function* endless() {
    for (;;) yield row((read += 1));
  }
  const url = await anOpenServer((req) => req.pause());
  const stopped = new AbortController();
  const options = { idempotencyKey: 'endless', signal: stopped.signal };
  const sending = failureOf(createRestClient({ url }).batches.create(endless(), options));
  let before = -1;
  // The buffers of two sockets are some megabytes; then it stays.
  while (read === 0 || read !== before) {
    before = read;
    for (let round = 0; round < 2_000; round += 1) await turn();
  }
  stopped.abort(new Error('enough'));
  expect((await sending).message).toBe('enough');
  expect(read).toBeLessThan(100_000);
});

test('what reading the rows throws is what the call throws, and the service sees a body that was cut off', async () => {
  const ends: unknown[] = [];
  const url = await anOpenServer((req) => {
    req.resume();
    req.on('close', () => ends.push(req.complete));
  });
  async function* rows() {
    yield* rowsTo(100);
    throw new RangeError('the cursor was closed');
  }
  const failure = await failureOf(createRestClient({ url }).batches.create(rows(), { idempotencyKey: 'k' }));
  expect(failure).toBeInstanceOf(RangeError);
  await expect.poll(() => ends).toEqual([false]);
});

test('it is sent once; the error has the key to send it again with', async () => {
  const { client, seen } = await aClient([problem('idempotency_in_progress', { 'retry-after': '2' })]);
  const failure = await failureOf(client.batches.create(rowsTo(1), { idempotencyKey: 'march' }));
  expect(failure).toBeInstanceOf(ConflictError);
  expect(failure).toMatchObject({ idempotencyKey: 'march', retryAfterSeconds: 2 });
  expect(seen).toHaveLength(1);
});

// A batch of 100,000 rows takes longer than any other call.
test('only the silence of the service counts, not how long the rows take', async () => {
  const { url } = await aServer(json(received, 202));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  async function* slow() {
    // More than is sent at once, and each part of it takes longer than the service may be silent.
    for (const one of rowsTo(200)) {
      yield one;
      vi.advanceTimersByTime(10);
    }
  }
  const client = createRestClient({ url, timeoutMs: 150 });
  expect(await client.batches.create(slow(), { idempotencyKey: 'k' })).toEqual(received);
  const silentUrl = await anOpenServer((req) => req.resume().once('end', () => vi.advanceTimersByTime(150)));
  const silent = createRestClient({ url: silentUrl, timeoutMs: 150 });
  expect(await failureOf(silent.batches.create(rowsTo(1), { idempotencyKey: 'k' }))).toBeInstanceOf(
    TimeoutError,
  );
});

test('an answer before the last row is the answer', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      yield row((read += 1));
      await turn();
    }
  }
  const url = await anOpenServer((req, res) => {
    req.once('data', () =>
      res.writeHead(422).end(JSON.stringify({ detail: [{ loc: ['header'], msg: 'no', type: 'no' }] })),
    );
    req.resume();
  });
  const failure = await failureOf(
    createRestClient({ url }).batches.create(endless(), { idempotencyKey: 'k' }),
  );
  expect(failure).toMatchObject({ status: 422 });
  const before = read;
  for (let round = 0; round < 100; round += 1) await turn();
  expect(read - before).toBeLessThan(100);
});

test('results and faults come one at a time, up to the line that ends them', async () => {
  const items = [
    { row: 1, outcome: 'active' },
    { row: 2, outcome: 'failed' },
  ];
  const { client, seen } = await aClient([
    lines(...items, { end: true, rows: 2 }),
    lines({ end: true, rows: 0 }),
  ]);
  expect(await collected(client.batches.results({ batch_id: 'bat_1', outcome: 'active' }))).toEqual(items);
  expect(await collected(client.batches.errors({ batch_id: 'bat_1', after: 17 }))).toEqual([]);
  expect(seen.map(({ target }) => target)).toEqual([
    '/batches/bat_1/results?outcome=active',
    '/batches/bat_1/errors?after=17',
  ]);
  expect(seen[0]?.headers.accept).toBe('application/x-ndjson');
});

// Without it half of the results would look like all of them.
test('an answer without its last line is an error, after the items that came', async () => {
  const cutOffs: readonly Answer[] = [
    lines({ row: 1 }),
    (res) => res.end('{"row":1}\n{"row":2,"refer'),
    (res) => {
      res.writeHead(200);
      res.write('{"row":1}\n', () => res.socket?.destroy());
    },
  ];
  for (const answer of cutOffs) {
    const { client } = await aClient([answer], { retryCountMax: 0 });
    const came: unknown[] = [];
    const reading = (async () => {
      for await (const item of client.batches.results({ batch_id: 'bat_1' })) came.push(item);
    })();
    expect(await failureOf(reading)).toBeInstanceOf(ConnectionError);
    expect(came).toEqual([{ row: 1 }]);
  }
});

test('results are the lines of a CSV file too, without the one that ends them', async () => {
  const file = 'row,plan_name\r\n1,"a\r\nend,7,"\r\n';
  const { client, seen } = await aClient([(res) => res.end(`${file}end,1,\r\n`), (res) => res.end(file)]);
  const read = () => collected(client.batches.results({ batch_id: 'bat_1' }, { format: 'csv' }));
  expect((await read()).join('')).toBe(file);
  expect(seen[0]?.headers.accept).toBe('text/csv');
  expect(await failureOf(read())).toBeInstanceOf(ConnectionError);
});

test('an answer that is not lines of JSON is not one of the service; its start is tried again', async () => {
  const { client, seen } = await aClient([problem('unavailable'), (res) => res.end('<html>\n</html>\n')], {
    retryDelayMsMax: 1,
  });
  expect(await failureOf(collected(client.batches.results({ batch_id: 'bat_1' })))).toBeInstanceOf(
    UnexpectedAnswerError,
  );
  expect(seen).toHaveLength(2);
});

test('over tRPC up to 500 rows are an input, with the same headers', async () => {
  const { url, seen } = await aServer(json({ result: { data: received } }));
  const said = withCreateHeaders({
    idempotencyKey: 'march',
    label: 'March',
    callbackUrl: 'https://clinic.example/',
  });
  expect(await createTrpcClient({ url }).batches.create.mutate({ rows: rowsTo(2) }, said)).toEqual(received);
  expect(seen[0]).toMatchObject({
    target: '/trpc/batches.create',
    body: JSON.stringify({ rows: rowsTo(2) }),
    headers: {
      'idempotency-key': 'march',
      'batch-label': 'March',
      'callback-url': 'https://clinic.example/',
    },
  });
});
