import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Account, Batch, BatchRow, CreatedApiKey, ReceivedBatch } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';

const service = useService();

const aRow = (number: number): BatchRow => ({ ...aRequest(), reference: `r${number}` });

const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${JSON.stringify(aRow(from + index))}\n`).join('');

interface Sending {
  readonly key: string;
  readonly name?: string;
  readonly type?: 'application/x-ndjson' | 'text/csv';
  readonly headers?: Record<string, string>;
}

interface Sent {
  readonly status: number | undefined;
  readonly json: {
    readonly batch_id?: string;
    readonly rows_stored?: number;
    readonly detail?: unknown;
    readonly code?: string;
  };
}

/** Opens an upload that is sent in parts. */
function open({ key, name = 'a file', type = 'application/x-ndjson', headers = {} }: Sending) {
  const req = request(`${service.url}/batches`, {
    method: 'POST',
    headers: {
      'x-key': key,
      'idempotency-key': name,
      'content-type': type,
      'transfer-encoding': 'chunked',
      'callback-url': 'https://clinic.example/in',
      ...headers,
    },
  });
  onTestFinished(() => void req.destroy());
  const answered = (async (): Promise<Sent> => {
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    return { status: res.statusCode, json: JSON.parse(await readText(res)) as Sent['json'] };
  })();
  req.on('error', () => undefined); // the answer comes before the end of the file
  answered.catch(() => undefined); // an upload that its test gives up has no answer
  return { req, answered };
}

/** Sends bytes without end, until the answer comes. */
async function flood(
  req: ClientRequest,
  answered: Promise<Sent>,
  part: Buffer,
  count: number,
): Promise<void> {
  let isOver = false;
  void answered.then(() => (isOver = true));
  for (let sent = 0; sent < count && !isOver; sent += 1)
    if (!req.write(part)) await Promise.race([once(req, 'drain'), answered]);
  if (!isOver) req.end();
}

async function batchOf(key: string): Promise<Batch | undefined> {
  const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
  return items[0];
}

const storedRows = (key: string, count: number) =>
  until(`${count} rows are stored`, async () => {
    const batch = await batchOf(key);
    return batch && batch.counters.received >= count && batch;
  });

// Without it a file of 64 MiB of line breaks holds the event loop for two minutes, and no call is answered.
test.each(['application/x-ndjson', 'text/csv'] as const)(
  'a file of line breaks as %s leaves the others their turns',
  async (type) => {
    const [key, other] = [await aKey(service), await aKey(service)];
    const part = Buffer.alloc(1_048_576, '\n');
    const uploads = [1, 2, 3].map((number) => open({ key, name: `breaks ${number}`, type }));
    let isOver = false;
    const floods = Promise.all(uploads.map(({ req, answered }) => flood(req, answered, part, 24)));
    const answers = Promise.all(uploads.map(({ answered }) => answered)).finally(() => (isOver = true));
    let answeredCount = 0;
    while (!isOver) {
      await service.answer('POST', '/requests/', aRequest(), other);
      expect((await service.ask('GET', '/livez')).status).toBe(200);
      answeredCount += 1;
    }
    await floods;
    expect((await answers).map(({ status, json }) => [status, json.detail])).toEqual(
      [1, 2, 3].map(() => [422, [{ loc: ['body'], msg: 'Field required', type: 'missing' }]]),
    );
    expect(answeredCount).toBeGreaterThan(20);
    expect(await batchOf(key)).toBeUndefined();
  },
);

test('a CSV row of a million cells is one row’s fault', async () => {
  const key = await aKey(service);
  const { req, answered } = open({ key, type: 'text/csv' });
  const header =
    'reference,patient_info.subscriber_id,payer_info.name,provider_info.npi,provider_info.name\n';
  req.end(`${header}${'x,'.repeat(500_000)}\na,W1,Payer Plan 1,1234567893,Main Street Dental\n`);
  const { status, json } = await answered;
  const { counters, errors } = json as unknown as ReceivedBatch;
  expect(status).toBe(202);
  expect([counters.received, counters.waiting]).toEqual([2, 1]);
  expect(errors).toMatchObject([{ row: 1, type: 'csv_cell_count' }]);
});

test('a key has eight uploads at once, and another key its own', async () => {
  const [key, other] = [await aKey(service), await aKey(service)];
  const opened = Array.from({ length: 9 }, (_, number) => open({ key, name: `${number}` }));
  for (const { req } of opened) req.write('\n');
  const refused = await Promise.race(
    opened.map(async ({ answered }, place) => ({ place, answer: await answered })),
  );
  expect(refused.answer).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  const { req, answered } = open({ key: other });
  req.end(linesOf(1, 1));
  expect((await answered).status).toBe(202);
  const [taken] = opened.toSpliced(refused.place, 1);
  taken?.req.end(linesOf(1, 1));
  expect((await taken?.answered)?.status).toBe(202);
  const next = open({ key, name: 'next' });
  next.req.end(linesOf(1, 1));
  expect((await next.answered).status).toBe(202);
});

const ENDS = {
  'its key is revoked': {
    end: ({ keyId }: { keyId: string }) => service.answer('POST', `/keys/${keyId}/revoke`),
    status: 401,
  },
  'its account is suspended': {
    end: ({ accountId }: { accountId: string }) => service.answer('POST', `/accounts/${accountId}/suspend`),
    status: 403,
  },
};

// Without it a revoked key created 650 of 900 rows, and a byte each 20 s kept its connection for ever.
test.each(
  Object.entries(ENDS).flatMap(([name, ending]) =>
    (['sends', 'is silent'] as const).map((how) => [name, how, ending] as const),
  ),
)('when %s, an upload that %s ends, and names its batch', async (_, how, { end, status }) => {
  const { account_id: accountId } = await anAccount(service);
  const created = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id: accountId,
    scopes: ['requests'],
  });
  const { req, answered } = open({ key: created.key, name: 'open' });
  req.write(linesOf(1, 60));
  await storedRows(created.key, 50);
  await end({ keyId: created.key_id, accountId });
  if (how === 'sends') req.write(linesOf(61, 400));
  const answer = await answered;
  const stored = await rows<{ id: string; count: number }>(
    service.databaseUrl,
    'select id, received_count as count from batch where account_id = $1',
    [accountId],
  );
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ batch_id: stored[0]?.id, rows_stored: stored[0]?.count });
  expect(stored[0]?.count).toBeLessThanOrEqual(60);
  expect(
    await rows(service.databaseUrl, 'select count(*)::int as count from request where account_id = $1', [
      accountId,
    ]),
  ).toEqual([{ count: stored[0]?.count }]);
});

// Without it a file that comes more slowly than 50 rows in ten seconds loses its batch to whoever sends it again.
test('rows of a slow sender are stored as they come', async () => {
  const key = await aKey(service);
  const { req, answered } = open({ key });
  let sentCount = 0;
  let looks = 0;
  // A row with every eighth look: fewer than would be stored together.
  await until('rows are stored before the last has come', async () => {
    if (looks % 8 === 0) req.write(linesOf((sentCount += 1), sentCount));
    looks += 1;
    return ((await batchOf(key))?.counters.received ?? 0) > 0;
  });
  expect(sentCount).toBeLessThan(50);
  req.end(linesOf(sentCount + 1, sentCount + 1));
  expect(await answered).toMatchObject({ status: 202, json: { counters: { received: sentCount + 1 } } });
});

const setIntake = (accountId: string, quota: number) =>
  service.answer('POST', `/accounts/${accountId}/limits`, {
    policies: { intake: { quota, window_seconds: 60 } },
  });

test('rows are charged to the quota of intake, and leave a tenth of it to single creates', async () => {
  const { account_id: accountId }: Account = await anAccount(service);
  const key = await aKey(service, ['requests'], accountId);
  await setIntake(accountId, 200);
  const { req, answered } = open({ key });
  req.end(linesOf(1, 400));
  const waiting = await storedRows(key, 150);
  expect(waiting.counters.received).toBeLessThanOrEqual(181);
  for (let number = 0; number < 18; number += 1)
    expect((await service.ask('POST', '/requests/', { key, body: aRequest() })).status).toBe(200);
  expect((await batchOf(key))?.state).toBe('receiving');
  await setIntake(accountId, 100_000);
  expect(await answered).toMatchObject({ status: 202, json: { counters: { received: 400, waiting: 400 } } });
});

test('many small files leave as much to single creates as a large one', async () => {
  const { account_id: accountId }: Account = await anAccount(service);
  const key = await aKey(service, ['requests'], accountId);
  await setIntake(accountId, 20);
  const uploads = Array.from({ length: 4 }, (_, index) => open({ key, name: `small ${index}` }));
  for (const [index, { req }] of uploads.entries()) req.end(linesOf(5 * index + 1, 5 * index + 5));
  await until('three files are stored', async () => {
    const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
    return items.reduce((sum, { counters }) => sum + counters.received, 0) >= 15;
  });
  expect((await service.ask('POST', '/requests/', { key, body: aRequest() })).status).toBe(200);
  await setIntake(accountId, 100_000);
  for (const { answered } of uploads)
    expect(await answered).toMatchObject({ status: 202, json: { counters: { received: 5 } } });
});

// Without it the sender of 100,000 rows knows neither which batch it left nor how to go on.
test.each([
  [
    'an open quote',
    'text/csv',
    'reference,patient_info.subscriber_id,payer_info.name,provider_info.npi,provider_info.name\n',
    (number: number) => `r${number},W${number},Payer Plan 1,1234567893,Dental\n`,
    '"open,W1,Payer Plan 1,1234567893,Dental\n',
    422,
    /not closed.*rows are stored in the batch bat_\w+: send the mended file with the same Idempotency-Key/,
  ],
  [
    'too many bytes',
    'application/x-ndjson',
    '',
    (number: number) => linesOf(number, number),
    Buffer.alloc(64 * 1_048_576, '\n'),
    413,
    /100,000 rows or 64 MiB.*send the mended file with the same Idempotency-Key/,
  ],
] as const)(
  'a file that is refused for %s names its batch, and mended it is received whole',
  async (_, type, header, rowOf, rest, status, words) => {
    const key = await aKey(service);
    const good = `${header}${Array.from({ length: 120 }, (__, index) => rowOf(index + 1)).join('')}`;
    const { req, answered } = open({ key, type });
    req.write(good);
    const stored = await storedRows(key, 100);
    req.end(rest);
    const answer = await answered;
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({
      batch_id: stored.batch_id,
      rows_stored: (await batchOf(key))?.counters.received,
    });
    expect(JSON.stringify(answer.json.detail)).toMatch(words);
    expect((await batchOf(key))?.state).toBe('incomplete');
    const other = open({ key, type });
    other.req.end(`${header}${rowOf(2)}`);
    expect(await other.answered).toMatchObject({
      status: 422,
      json: {
        detail: [{ type: 'idempotency_key_reused' }],
        batch_id: stored.batch_id,
        rows_stored: answer.json.rows_stored,
      },
    });
    const again = open({ key, type });
    again.req.end(`${good}${rowOf(121)}`);
    expect(await again.answered).toMatchObject({
      status: 202,
      json: { batch_id: stored.batch_id, counters: { received: 121, rejected: 0 } },
    });
  },
);

test('a file that says it is too large is refused before it comes', async () => {
  const key = await aKey(service);
  const req = request(`${service.url}/batches`, {
    method: 'POST',
    headers: {
      'x-key': key,
      'idempotency-key': 'large',
      'content-type': 'text/csv',
      'content-length': 64 * 1_048_576 + 1,
    },
  });
  onTestFinished(() => void req.destroy());
  req.flushHeaders();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  expect([res.statusCode, await readText(res)]).toEqual([413, expect.stringContaining('64 MiB')]);
  expect(await batchOf(key)).toBeUndefined();
});
