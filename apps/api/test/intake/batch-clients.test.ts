import {
  createRestClient,
  createTrpcClient,
  ValidationFailedError,
  withCreateHeaders,
} from '@insurance-verification/client';
import type { BatchRow } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';

// Slow: thousands of rows are sent, cut off and sent again, while a service slows batches for other calls.

const service = useService();

/** The packages' clients against a running service, each of an account of its own. */
async function aProvider() {
  const access = { url: service.url, apiKey: await aKey(service) };
  return { rest: createRestClient(access), trpc: createTrpcClient(access) };
}

const row = (number: number): BatchRow => ({ ...aRequest(), reference: `r${number}` });

async function* rowsTo(count: number): AsyncGenerator<BatchRow> {
  for (let number = 1; number <= count; number += 1) yield row(number);
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

// Breaks if a provider whose program stops in the middle of its rows has to know which of them came.
test('rows of an iterator that stops in the middle are sent again with their key, and are there once', async () => {
  const { rest } = await aProvider();
  const options = {
    idempotencyKey: 'night',
    label: 'Visits of the night',
    callbackUrl: 'https://clinic.example/in',
  };
  async function* stopping() {
    yield* rowsTo(3_000);
    throw new RangeError('the cursor was closed');
  }
  await expect(rest.batches.create(stopping(), options)).rejects.toBeInstanceOf(RangeError);
  const cut = await until('the batch is incomplete', async () => {
    const { items } = await rest.batches.list();
    return items[0]?.state === 'incomplete' && items[0];
  });
  const whole = await rest.batches.create(rowsTo(5_000), options);
  expect(whole).toMatchObject({
    batch_id: cut.batch_id,
    label: 'Visits of the night',
    counters: { received: 5_000, rejected: 0, waiting: 5_000 },
  });
  expect(await rest.batches.create(rowsTo(5_000), options)).toEqual(whole);
  const results = await collected(rest.batches.results({ batch_id: whole.batch_id }));
  expect(results.map(({ reference }) => reference)).toEqual(
    Array.from({ length: 5_000 }, (_, index) => `r${index + 1}`),
  );
  const last = rest.batches.results({ batch_id: whole.batch_id, after: 4999 }, { format: 'csv' });
  expect(await collected(last)).toEqual([
    expect.stringMatching(/^row,reference,/),
    expect.stringMatching(/^5000,r5000,req_\w+,not_answered,/),
  ]);
});

// Breaks if the service's refusal is lost because the client was still sending.
test('a refusal in the middle of the rows is the answer', async () => {
  const { rest } = await aProvider();
  await rest.batches.create(rowsTo(500), { idempotencyKey: 'other' });
  async function* changed() {
    for await (const one of rowsTo(50_000))
      yield one.reference === 'r7' ? { ...one, reference: 'other' } : one;
  }
  const refused = rest.batches.create(changed(), { idempotencyKey: 'other' });
  await expect(refused).rejects.toBeInstanceOf(ValidationFailedError);
  await expect(refused).rejects.toMatchObject({
    idempotencyKey: 'other',
    detail: [{ type: 'idempotency_key_reused', msg: expect.stringContaining('row 7 differs') }],
  });
});

test('faults are read one at a time, and rejected rows have no result', async () => {
  const { rest } = await aProvider();
  const rows = [row(1), { ...row(2), callback_url: 'nowhere' }, row(3)];
  const batch = await rest.batches.create(rows, { idempotencyKey: 'three' });
  expect(batch.errors.map((fault) => [fault.row, fault.reference, fault.loc])).toEqual([
    [2, 'r2', ['body', 'callback_url']],
  ]);
  expect(await collected(rest.batches.errors({ batch_id: batch.batch_id }))).toEqual(batch.errors);
  const results = await collected(
    rest.batches.results({ batch_id: batch.batch_id, outcome: 'not_answered' }),
  );
  expect(results.map((one) => one.row)).toEqual([1, 3]);
});

test('over tRPC a batch is a list, with the same headers, and its results are pages', async () => {
  const { trpc } = await aProvider();
  const said = withCreateHeaders({ idempotencyKey: 'list', label: 'List', serviceDate: today() });
  const batch = await trpc.batches.create.mutate({ rows: [row(1), row(2), {} as BatchRow] }, said);
  expect(batch).toMatchObject({ label: 'List', counters: { received: 3, rejected: 1, waiting: 2 } });
  expect(await trpc.batches.create.mutate({ rows: [row(1), row(2), {} as BatchRow] }, said)).toEqual(batch);
  const { batch_id } = batch;
  const first = await trpc.batches.results.query({ batch_id, limit: 1 });
  const second = await trpc.batches.results.query({
    batch_id,
    limit: 1,
    after: first.next_after ?? undefined,
  });
  expect([...first.items, ...second.items].map(({ reference }) => reference)).toEqual(['r1', 'r2']);
  expect(second.next_after).toBeNull();
});

const today = () => new Date().toISOString().slice(0, 10);
