import { once } from 'node:events';
import { request } from 'node:http';
import type {
  Batch,
  BatchResult,
  BatchRow,
  EventList,
  ReceivedBatch,
  RequestList,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import type { Answer } from '../send.ts';

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
