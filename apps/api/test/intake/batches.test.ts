import { type IncomingMessage, request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import type {
  Batch,
  BatchResult,
  BatchRow,
  CreatedEndpoint,
  ReceivedBatch,
  RequestList,
  WebhookEvent,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import type { Answer } from '../send.ts';
import { aFinding, claim } from '../verification/work.ts';

const service = useService();

const NDJSON = { 'content-type': 'application/x-ndjson' };

/** Rows with references `r1`, `r2`, …, each of another patient. */
const someRows = (count: number): BatchRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...aRequest(),
    patient_info: { subscriber_id: `W${index + 1}`, name: 'Jane Doe' },
    reference: `r${index + 1}`,
  }));

const toLines = (list: readonly object[]) => list.map((row) => `${JSON.stringify(row)}\n`).join('');

interface Posted {
  readonly key: string;
  readonly name: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

const post = (body: string, { key, name, query = '', headers = {} }: Posted): Promise<Answer> =>
  service.ask('POST', `/batches${query}`, {
    key,
    body,
    headers: { ...NDJSON, 'idempotency-key': name, ...headers },
  });

async function accepted(answer: Promise<Answer>): Promise<ReceivedBatch> {
  const { status, json, text } = await answer;
  if (status !== 202) throw new Error(`${status}: ${text}`);
  return json as ReceivedBatch;
}

const sumOf = ({ counters: { received, ...others } }: Pick<Batch, 'counters'>) => [
  received,
  Object.values(others).reduce((sum, count) => sum + count, 0),
];

const reused = (row: number) => ({
  detail: [
    {
      loc: ['header', 'idempotency-key'],
      msg: `This Idempotency-Key was used with another file: row ${row} differs`,
      type: 'idempotency_key_reused',
    },
  ],
});

test('ten thousand rows with 37 bad ones: the others are accepted, each once', async () => {
  const key = await aKey(service);
  const list: object[] = someRows(10_000);
  const bad = Array.from({ length: 37 }, (_, index) => 17 + index * 250);
  for (const row of bad) list[row - 1] = { ...list[row - 1], patient_info: {} };
  const batch = await accepted(post(toLines(list), { key, name: 'nightly' }));
  expect(batch).toMatchObject({ state: 'running', outcome: null, mode: 'accept_valid', label: null });
  expect(batch.counters).toMatchObject({ received: 10_000, rejected: 37, waiting: 9_963 });
  expect(batch.errors).toEqual(
    bad.map((row) => ({
      row,
      reference: `r${row}`,
      loc: ['body', 'patient_info', 'subscriber_id'],
      type: 'missing',
      msg: 'Field required',
    })),
  );
  const again = await post(toLines(list), { key, name: 'nightly' });
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
  expect(again.json).toEqual(batch);
  expect(
    await rows(
      service.databaseUrl,
      `select count(*)::int as count from batch_row where batch_id = $1 and request_id is not null`,
      [batch.batch_id],
    ),
  ).toEqual([{ count: 9_963 }]);
});

const getBatch = (key: string, id: string) => service.answer<Batch>('GET', `/batches/${id}`, undefined, key);

/** A result's lines, without the last, which says how many they are. */
async function resultsOf(key: string, id: string, query = ''): Promise<BatchResult[]> {
  const { text } = await service.ask('GET', `/batches/${id}/results${query}`, { key });
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchResult & { end?: true });
  expect(lines.pop()).toEqual({ end: true, rows: lines.length });
  return lines;
}

/** Answers the request of a row as complete. */
async function answerRow(key: string, id: string, row: number): Promise<void> {
  const found = (await resultsOf(key, id)).find((one) => one.row === row);
  const { json } = await service.ask('GET', `/requests/${found?.request_id}`, { key });
  await service.answer('POST', '/verification-output', anOutput(json as Parameters<typeof anOutput>[0]));
}

/** Sends the beginning of a file, and breaks the connection off once some of its rows are stored. */
async function sendAndBreak(body: string, { key, name }: Posted): Promise<void> {
  const req = request(`${service.url}/batches`, {
    method: 'POST',
    headers: { ...NDJSON, 'x-key': key, 'idempotency-key': name, 'content-length': body.length + 100 },
  });
  req.on('error', () => undefined);
  req.write(body);
  await until('some rows are stored', async () => {
    const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
    return (items[0]?.counters.received ?? 0) > 0;
  });
  const closed = new Promise((resolve) => req.once('close', resolve));
  req.destroy();
  await closed;
}

describe('a file that is cut off', () => {
  test('is incomplete, and the same file resumes it where it stopped', async () => {
    const key = await aKey(service);
    const file = toLines(someRows(1_000));
    await sendAndBreak(file.slice(0, file.length / 2), { key, name: 'cut' });
    const [cut] = await until('the batch is incomplete', async () => {
      const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
      return items[0]?.state === 'incomplete' && items;
    });
    expect(cut?.counters.received).toBeGreaterThan(0);
    expect(cut?.counters.received).toBeLessThan(501);
    const whole = await accepted(post(file, { key, name: 'cut' }));
    expect(whole.batch_id).toBe(cut?.batch_id);
    expect(whole.counters).toMatchObject({ received: 1_000, rejected: 0, waiting: 1_000 });
    const stored = await resultsOf(key, whole.batch_id);
    expect(stored.map(({ row, reference }) => `${row} ${reference}`)).toEqual(
      someRows(1_000).map(({ reference }, index) => `${index + 1} ${reference}`),
    );
    const { items } = await service.answer<RequestList>('GET', '/requests/?limit=1', undefined, key);
    expect(items).toHaveLength(1);
    expect(
      await rows(service.databaseUrl, 'select count(*)::int from work_queue where batch_id = $1', [
        whole.batch_id,
      ]),
    ).toEqual([{ count: 1_000 }]);
  });

  test('with another row at a place that is stored, it is refused, and names the row', async () => {
    const key = await aKey(service);
    const list = someRows(500);
    await accepted(post(toLines(list), { key, name: 'other' }));
    const changed = list.with(320, {
      ...list[320],
      provider_info: { npi: '1234567893', name: 'Another' },
    } as BatchRow);
    for (const [file, row] of [
      [changed, 321],
      [list.slice(0, 499), 500],
      [[...list, ...someRows(1)], 501],
    ] as const) {
      const answer = await post(toLines(file), { key, name: 'other' });
      expect([answer.status, answer.json]).toEqual([422, reused(row)]);
    }
    const mode = await post(toLines(list), { key, name: 'other', query: '?mode=all_or_nothing' });
    expect(mode.status).toBe(422);
  });

  test('two clients with one key make one batch', async () => {
    const key = await aKey(service);
    const file = toLines(someRows(2_000));
    const answers = await Promise.all([1, 2, 3].map(() => post(file, { key, name: 'both' })));
    const codes = answers.map(({ status, json }) =>
      status === 202 ? 202 : (json as { code?: string }).code,
    );
    expect([202, 'idempotency_in_progress']).toEqual(expect.arrayContaining([...new Set(codes)]));
    expect(answers.map(({ status }) => status)).toContain(202);
    const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
    expect(items.map(({ counters }) => counters.received)).toEqual([2_000]);
  });
});

describe('rows that are at fault', () => {
  const faultsOf = async (list: readonly unknown[], headers: Record<string, string> = {}) => {
    const body = list.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
    const { errors } = await accepted(post(body, { key: await aKey(service), name: 'faults', headers }));
    return errors.map(({ row, reference, loc, type }) => [row, reference, loc.join('.'), type]);
  };

  test('are named by row, reference, place and type, and never repeat a value', async () => {
    const [row] = someRows(1);
    const { callback_url: _, ...without } = row as BatchRow & { callback_url: string };
    expect(
      await faultsOf([
        row,
        { ...row, patient_info: { name: 'X' }, reference: 'a' },
        row,
        without,
        { ...row, reference: 'x'.repeat(65) },
        { ...row, reference: 'b', service_date: '2026-13-01' },
        { ...row, reference: 'c', service_date: '1999-01-01', needed_by: 'soon' },
        { ...row, reference: 'd', needed_by: '2020-01-01T00:00:00Z' },
        '{"patient_info":',
        '[1]',
        { ...row, reference: 'e', payer_info: { name: 'Another' } },
      ]),
    ).toEqual([
      [2, 'a', 'body.patient_info.subscriber_id', 'missing'],
      [3, 'r1', 'body.reference', 'reference_twice'],
      [4, 'r1', 'body.callback_url', 'missing'],
      [4, 'r1', 'body.reference', 'reference_twice'],
      [5, null, 'body.reference', 'string_too_long'],
      [6, 'b', 'body.service_date', 'date_parsing'],
      [7, 'c', 'body.service_date', 'date_out_of_range'],
      [7, 'c', 'body.needed_by', 'datetime_parsing'],
      [8, 'd', 'body.needed_by', 'datetime_future'],
      [9, null, 'body.16', 'json_invalid'],
      [10, null, 'body', 'model_attributes_type'],
      [11, 'e', 'body.payer_info.name', 'enum'],
    ]);
  });

  test('blank lines do not count, and headers hold for rows that say nothing', async () => {
    const [row] = someRows(1);
    const { callback_url: _, ...without } = row as BatchRow & { callback_url: string };
    expect(
      await faultsOf(['', without, '  ', { ...without, reference: 'x', callback_url: 'no' }], {
        'callback-url': 'https://clinic.example/in',
      }),
    ).toEqual([[2, 'x', 'body.callback_url', 'url_parsing']]);
  });

  // Clients of typed languages write each optional member, and null for those without a value.
  test('null is as if absent for the members that a batch adds to a request', async () => {
    const [row] = someRows(1);
    const nulls = { callback_url: null, reference: null, service_date: null, needed_by: null };
    expect(
      await faultsOf([
        { ...row, ...nulls },
        { ...row, ...nulls },
      ]),
    ).toEqual([
      [1, null, 'body.callback_url', 'missing'],
      [2, null, 'body.callback_url', 'missing'],
    ]);
    expect(
      await faultsOf(
        [
          { ...row, ...nulls },
          { ...row, ...nulls },
        ],
        {
          'callback-url': 'https://clinic.example/in',
          'service-date': new Date().toISOString().slice(0, 10),
          'needed-by': new Date(Date.now() + 86_400_000).toISOString(),
        },
      ),
    ).toEqual([]);
  });

  test('a row that is too large is one row’s fault', async () => {
    const [row] = someRows(1);
    const large = { ...row, patient_info: { subscriber_id: 'x'.repeat(140_000) }, reference: 'l' };
    expect(await faultsOf([large, row, 'y'.repeat(1_200_000), { ...row, reference: 'z' }])).toEqual([
      [1, 'l', 'body', 'payload_too_large'],
      [3, null, 'body', 'payload_too_large'],
    ]);
  });

  test.each([
    ['no key', toLines(someRows(1)), { 'idempotency-key': '' }, 'idempotency-key'],
    ['another content type', '{}', { 'content-type': 'application/json' }, 'content-type'],
    ['a bad day for all', toLines(someRows(1)), { 'service-date': 'tomorrow' }, 'service-date'],
    ['a bad address for all', toLines(someRows(1)), { 'callback-url': 'nowhere' }, 'callback-url'],
    ['a label with hidden characters', toLines(someRows(1)), { 'batch-label': 'a\tb' }, 'batch-label'],
  ])('%s refuses the whole', async (_, body, headers, place) => {
    const answer = await post(body, { key: await aKey(service), name: 'whole', headers });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ detail: [{ loc: ['header', place] }] });
  });

  test('of rows with several faults, the last line of the list counts the rows', async () => {
    const key = await aKey(service);
    const { batch_id: id } = await accepted(post('{}\n{}\n', { key, name: 'several' }));
    const { text } = await service.ask('GET', `/batches/${id}/errors`, { key });
    const lines = text.trim().split('\n');
    expect([lines.length > 3, lines.at(-1)]).toEqual([true, '{"end":true,"rows":2}']);
  });

  test('a mode that is none is a fault of the query', async () => {
    const answer = await post('{}', { key: await aKey(service), name: 'mode', query: '?mode=all' });
    expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc: ['query', 'mode'] }] }]);
  });

  test('a file without a row is refused, and makes no batch', async () => {
    const key = await aKey(service);
    expect((await post('\n\n', { key, name: 'empty' })).status).toBe(422);
    expect(await service.answer('GET', '/batches', undefined, key)).toEqual({ items: [], next_cursor: null });
  });

  test('all_or_nothing works on nothing, and ends', async () => {
    const key = await aKey(service);
    const list = [...someRows(450), {}];
    const batch = await accepted(post(toLines(list), { key, name: 'all', query: '?mode=all_or_nothing' }));
    expect(batch).toMatchObject({
      state: 'ended',
      outcome: 'none',
      counters: { received: 451, rejected: 451 },
    });
    expect(batch.errors.map(({ row }) => row)).toEqual([451, 451, 451, 451]);
    expect(await service.answer('GET', '/requests/', undefined, key)).toMatchObject({ items: [] });
    const good = await accepted(
      post(toLines(someRows(450)), { key, name: 'good', query: '?mode=all_or_nothing' }),
    );
    expect(good).toMatchObject({ state: 'running', counters: { received: 450, rejected: 0, waiting: 450 } });
  });
});

describe('a CSV file', () => {
  const HEADER =
    'reference,patient_info.subscriber_id,payer_info.name,provider_info.npi,provider_info.name,cpt_code_coverage';
  const CSV = { 'content-type': 'text/csv', 'callback-url': 'https://clinic.example/in' };

  test('is read by its header row, with a byte order mark and quoted cells', async () => {
    const key = await aKey(service);
    const file = `\uFEFF${HEADER}\r\n"a ""1""",W1,Payer Plan 1,1234567893,"Roe, Dr.",D0120 99213\r\nb,,Payer Plan 1,1,Roe,\r\nc,W3,Payer Plan 1,1234567893\r\n`;
    const batch = await accepted(post(file, { key, name: 'csv', headers: CSV }));
    expect(batch.counters).toMatchObject({ received: 3, rejected: 2, waiting: 1 });
    expect(batch.errors.map(({ row, reference, type }) => [row, reference, type])).toEqual([
      [2, 'b', 'missing'],
      [3, null, 'csv_cell_count'],
    ]);
    const [one] = await resultsOf(key, batch.batch_id);
    const { json } = await service.ask('GET', `/requests/${one?.request_id}`, { key });
    expect(one?.reference).toBe('a "1"');
    expect(json).toMatchObject({
      input: {
        provider_info: { name: 'Roe, Dr.' },
        cpt_code_coverage: ['D0120', '99213'],
        callback_url: 'https://clinic.example/in',
      },
    });
  });

  test.each([
    ['an unknown column', 'reference,Smith\nx,y\n', 'csv_column', /Column 2/],
    ['a column twice', 'reference,reference\nx,y\n', 'csv_column_twice', /Column 2/],
    ['semicolons', `${HEADER.replaceAll(',', ';')}\nx\n`, 'csv_delimiter', /semicolons/],
    ['an open quote', `${HEADER}\n"a,W1\n`, 'csv_parsing', /row 1:/],
    [
      'a line for Excel',
      `sep=;\n${HEADER.replaceAll(',', ';')}\n`,
      'csv_delimiter',
      /semicolons.*sep=.*comma/,
    ],
    ['a row of 2 MiB', `${HEADER}\na,W1${'x'.repeat(2 ** 21)}\n`, 'csv_parsing', /larger than 1 MiB/],
    [
      'another encoding',
      Buffer.from(`${HEADER}\na,W1,Payer Plan 1,1,M\xfcller,\n`, 'latin1'),
      'csv_encoding',
      /UTF-8/,
    ],
  ])('with %s is refused without repeating it', async (_, body, type, msg) => {
    const answer = await post(body as string, { key: await aKey(service), name: 'bad', headers: CSV });
    expect([answer.status, answer.text]).toEqual([422, expect.not.stringMatching(/Smith|W1/)]);
    expect(answer.json).toMatchObject({ detail: [{ type, msg: expect.stringMatching(msg) }] });
  });

  // Broke: one quote in a cell refused the whole file, after thousands of its rows were stored.
  test('with a stray quote and rows without a value rejects one row, and counts the others', async () => {
    const key = await aKey(service);
    const row = (number: number) => `r${number},W${number},Payer Plan 1,1234567893,Roe,`;
    const file = [HEADER, row(1), ',,,,,', 'r2,6" pipe,Payer Plan 1,1234567893,Roe,', '', row(3)].join('\n');
    const batch = await accepted(post(file, { key, name: 'quote', headers: CSV }));
    expect(batch.counters).toMatchObject({ received: 3, rejected: 1, waiting: 2 });
    expect(batch.errors).toEqual([
      {
        row: 2,
        reference: null,
        loc: ['body'],
        type: 'csv_quote',
        msg: expect.stringMatching(/quotation mark/),
      },
    ]);
  });

  test('of rejected rows is taken as it is, with their numbers and faults in front', async () => {
    const key = await aKey(service);
    const file = `row,error,${HEADER}\n17,payer_info: bad,r17,W17,Payer Plan 1,1234567893,Roe,\n`;
    const batch = await accepted(post(file, { key, name: 'rejected', headers: CSV }));
    expect(batch.counters).toMatchObject({ received: 1, rejected: 0 });
    expect(await resultsOf(key, batch.batch_id)).toMatchObject([{ row: 1, reference: 'r17' }]);
  });

  test('the template is a file that is accepted', async () => {
    const key = await aKey(service);
    const { csv } = await service.answer<{ csv: string }>('GET', '/batches/template', undefined, key);
    const batch = await accepted(
      post(csv, { key, name: 'template', headers: { 'content-type': 'text/csv' } }),
    );
    expect(batch.counters).toMatchObject({ received: 1, rejected: 0 });
  });
});

describe('a batch under way', () => {
  test('ends with its last row, and says so by event and counters', async () => {
    const key = await aKey(service);
    const receiver = await aReceiver();
    await service
      .ask('POST', '/endpoints', { key, body: { url: receiver.url, types: ['batch.ended'] } })
      .then(({ json }) => json as CreatedEndpoint);
    const list = [...someRows(3), {}] as BatchRow[];
    const { batch_id: id } = await accepted(
      post(toLines(list), { key, name: 'run', headers: { 'batch-label': 'Visits' } }),
    );
    await answerRow(key, id, 1);
    await answerRow(key, id, 2);
    const running = await getBatch(key, id);
    expect(running).toMatchObject({
      state: 'running',
      label: 'Visits',
      counters: { received: 4, rejected: 1, waiting: 1, answered: 2 },
    });
    const [third] = await resultsOf(key, id, '?outcome=not_answered');
    expect(third?.row).toBe(3);
    await service.answer('POST', `/requests/${third?.request_id}/close`, { reason: 'withdrawn' }, key);
    const [webhook] = await receiver.first();
    const event = JSON.parse(webhook?.body ?? '') as WebhookEvent;
    expect(event).toMatchObject({ type: 'batch.ended', data: { batch_id: id }, number: null });
    const ended = await getBatch(key, id);
    expect(ended).toMatchObject({ state: 'ended', outcome: 'some', counters: { answered: 2, closed: 1 } });
    expect(sumOf(ended)[0]).toBe(sumOf(ended)[1]);
    const all = await resultsOf(key, id);
    expect(
      all.map(({ outcome, error, result, benefits }) => [
        outcome,
        error,
        result?.length,
        benefits?.coverages.length,
      ]),
    ).toEqual([
      ['active', null, 1, 1],
      ['active', null, 1, 1],
      ['failed', 'withdrawn', undefined, undefined],
    ]);
  });

  // Without it another account's creates would wait for fifty rows at a time.
  test('takes ten rows at a time while other calls come', async () => {
    const key = await aKey(service);
    await service.ask('POST', '/requests/', { body: aRequest(), key });
    const { batch_id: id } = await accepted(post(toLines(someRows(25)), { key, name: 'shared' }));
    const lines = await rows<{ count: number }>(
      service.databaseUrl,
      `select cardinality(request_ids) as count from access_log
       where operation = 'batches.create' and subject_id = $1 and request_ids is not null order by id`,
      [id],
    );
    expect(lines.map(({ count }) => count)).toEqual([10, 10, 5]);
  });

  test('answers with an ETag, 304 while it holds, and when to ask again', async () => {
    const key = await aKey(service);
    const { batch_id: id } = await accepted(post(toLines(someRows(1)), { key, name: 'etag' }));
    const first = await service.ask('GET', `/batches/${id}`, { key });
    expect(first.headers).toMatchObject({ etag: expect.stringMatching(/^"/), 'retry-after': '5' });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expect((await service.ask('GET', `/batches/${id}`, { key, headers })).status).toBe(304);
    // `fetch` adds `Cache-Control: no-cache`, and got a 200 for it.
    const fetched = await fetch(`${service.url}/batches/${id}`, { headers: { 'x-key': key, ...headers } });
    expect(fetched.status).toBe(304);
    await answerRow(key, id, 1);
    expect((await service.ask('GET', `/batches/${id}`, { key, headers })).status).toBe(200);
  });

  test('that is canceled closes what waits, and lets a verifier finish', async () => {
    const key = await aKey(service);
    const { batch_id: id } = await accepted(post(toLines(someRows(30)), { key, name: 'cancel' }));
    const ids = new Set((await resultsOf(key, id)).map(({ request_id: requestId }) => requestId));
    const work = await claim(service, ['manual_web_portal', 'manual_phone_call', 'api'], { max: 50 });
    const leased = work.filter(({ request: { request_id: requestId } }) => ids.has(requestId));
    for (let again = 0; again < 2; again += 1)
      expect((await service.answer<Batch>('POST', `/batches/${id}/cancel`, undefined, key)).state).toBe(
        'canceling',
      );
    await until(
      'what waits is closed',
      async () => (await getBatch(key, id)).counters.closed === 30 - leased.length,
    );
    for (const item of leased)
      await service.answer('POST', `/work/${item.request.request_id}/submit`, {
        lease_token: item.lease_token,
        insurance_data: [aFinding(item)],
      });
    const ended = await until('it has ended', async () => {
      const batch = await getBatch(key, id);
      return batch.state === 'ended' && batch;
    });
    expect(ended.counters).toMatchObject({ closed: 30 - leased.length, answered: leased.length, waiting: 0 });
    const more = await post(toLines(someRows(31)), { key, name: 'cancel' });
    expect(more.status).toBe(422);
  });

  // Broke: the sender got `idempotency_in_progress`, and clients sent the whole file again.
  test('that is canceled while it is sent says so to its sender', async () => {
    const key = await aKey(service);
    const file = toLines(someRows(200));
    const sent = request(`${service.url}/batches`, {
      method: 'POST',
      headers: { ...NDJSON, 'x-key': key, 'idempotency-key': 'sending', 'content-length': file.length },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    sent.write(file.slice(0, file.length / 2));
    const id = await until('rows are stored', async () => {
      const { items } = await service.answer<{ items: Batch[] }>('GET', '/batches', undefined, key);
      return items[0]?.batch_id;
    });
    await service.answer('POST', `/batches/${id}/cancel`, undefined, key);
    sent.end(file.slice(file.length / 2));
    const answer = await answered;
    expect([answer.statusCode, await readJson(answer)]).toMatchObject([
      409,
      { code: 'batch_ended', batch_id: id },
    ]);
    const later = await post(file, { key, name: 'sending' });
    expect([later.status, later.json]).toMatchObject([409, { code: 'batch_ended', batch_id: id }]);
  });

  test('shows an erased row as erased', async () => {
    const key = await aKey(service);
    const { batch_id: id } = await accepted(post(toLines(someRows(2)), { key, name: 'erase' }));
    const [one] = await resultsOf(key, id);
    await rows(service.databaseUrl, `update request set erased_at = now(), outcome = 'none' where id = $1`, [
      one?.request_id,
    ]);
    await rows(service.databaseUrl, `delete from work_queue where request_id = $1`, [one?.request_id]);
    await rows(
      service.databaseUrl,
      `insert into batch_change (batch_id, place, count) values ($1, 'erased', 1)`,
      [id],
    );
    expect((await getBatch(key, id)).counters).toMatchObject({ erased: 1, waiting: 1 });
    expect((await resultsOf(key, id, '?outcome=erased')).map(({ row }) => row)).toEqual([1]);
  });

  test('gives its results as a table in which no cell is a formula', async () => {
    const key = await aKey(service);
    const [row] = someRows(1);
    const { batch_id: id } = await accepted(
      post(toLines([{ ...row, reference: '=1+1' }]), { key, name: 'table' }),
    );
    await answerRow(key, id, 1);
    const answer = await service.ask('GET', `/batches/${id}/results`, {
      key,
      headers: { accept: 'text/csv' },
    });
    const lines = answer.text.trim().split('\r\n');
    expect(answer.headers['content-type']).toMatch('text/csv');
    expect(lines[1]).toMatch(/^1,"'=1\+1",req_\w+,active,/);
    expect(lines[2]).toMatch(/^end,1,/);
  });
});

test('another account finds no batch of ours', async () => {
  const { batch_id: id } = await accepted(
    post(toLines(someRows(1)), { key: await aKey(service), name: 'ours' }),
  );
  const stranger = await aKey(service);
  for (const path of ['', '/errors', '/results'])
    expect((await service.ask('GET', `/batches/${id}${path}`, { key: stranger })).status).toBe(404);
  expect((await service.ask('POST', `/batches/${id}/cancel`, { key: stranger })).status).toBe(404);
});
