import { type RequestList, type RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aTableLock } from '../a-table-lock.ts';
import { transports } from '../transports.ts';

const service = useService();

const header = (value: string) => ({ 'idempotency-key': value });
const fault = (msg: string, type: string) => ({ loc: ['header', 'idempotency-key'], msg, type });

describe.each(transports)('Idempotency-Key over $name', (transport) => {
  const create = (idempotencyKey: string, body = aRequest(), key?: string) =>
    transport.call(
      service,
      'requests.create',
      { ...body },
      { headers: header(idempotencyKey), ...(key !== undefined && { key }) },
    );

  // Otherwise a retry after a lost answer would be a second verification, billed twice.
  test('the same key and body get the first answer again, and say so', async () => {
    const first = await create(`${transport.name} same`);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const again = await create(`${transport.name} same`);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('the first answer stays pending even when the request has long been finished', async () => {
    const first = await create(`${transport.name} finished`);
    await service.answer('POST', '/verification-output', anOutput(transport.output<RequestModel>(first)));
    expect((await create(`${transport.name} finished`)).text).toBe(first.text);
  });

  test('the same key with another body is refused, and nothing is stored', async () => {
    const key = await aKey(service);
    await create('other body', aRequest(), key);
    const answer = await create('other body', aRequest({ callback_url: 'https://elsewhere.example' }), key);
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid(fault('This Idempotency-Key was used with another body', 'idempotency_key_reused')),
    );
    expect((await service.answer<RequestList>('GET', '/requests/', undefined, key)).items).toHaveLength(1);
  });

  test('another account’s key of the same text is another key', async () => {
    const first = await create('mine and yours', aRequest(), await aKey(service));
    const second = await create('mine and yours', aRequest(), await aKey(service));
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(transport.output<RequestModel>(second).request_id).not.toBe(
      transport.output<RequestModel>(first).request_id,
    );
  });

  test.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['beyond ASCII', 'schlüssel'],
    ['a tab', 'a\tb'],
  ])('a header that is %s is refused', async (_, value) => {
    const answer = await create(value);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid(fault('Value should be 1 to 255 printable characters', 'string_pattern_mismatch')),
    ]);
  });

  test('255 characters, spaces among them, are a key', async () => {
    expect((await create(`${transport.name} ${'k'.repeat(255 - transport.name.length - 1)}`)).status).toBe(
      200,
    );
  });
});

// Thirty simultaneous retries of an impatient client are still one request.
test('equal creates in parallel store one request', async () => {
  const key = await aKey(service);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      service.ask('POST', '/requests/', { body: aRequest(), key, headers: header('rush') }),
    ),
  );
  for (const { status, headers } of answers) {
    expect([200, 409]).toContain(status);
    if (status === 409) expect(headers['retry-after']).toBe('1');
  }
  const ids = answers
    .filter(({ status }) => status === 200)
    .map(({ json }) => (json as RequestModel).request_id);
  expect(new Set(ids).size).toBe(1);
  expect((await service.answer<RequestList>('GET', '/requests/', undefined, key)).items).toHaveLength(1);
});

describe.each(transports)('while the first is running, over $name', (transport) => {
  test('the same key is 409 with Retry-After, until the first is answered', async () => {
    const key = await aKey(service);
    const options = { key, headers: header('slow') };
    const lock = await aTableLock(service.databaseUrl, 'request');
    const first = transport.call(service, 'requests.create', { ...aRequest() }, options);
    await lock.waitedForBy(1);
    const second = await transport.call(service, 'requests.create', { ...aRequest() }, options);
    expect([second.status, second.json]).toEqual([409, transport.problem('idempotency_in_progress')]);
    expect(second.headers['retry-after']).toBe('1');
    await lock.release();
    expect((await first).status).toBe(200);
    const third = await transport.call(service, 'requests.create', { ...aRequest() }, options);
    expect(third.text).toBe((await first).text);
  });
});

// The header identifies one call; in a batch it would identify several.
test('a tRPC batch with the header is 400, and nothing is stored', async () => {
  const key = await aKey(service);
  const answer = await service.ask('POST', '/trpc/requests.create,requests.create?batch=1', {
    key,
    headers: header('batch'),
    body: { 0: aRequest(), 1: aRequest() },
  });
  expect(answer.status).toBe(400);
  const problem = {
    type: '/docs/problems/idempotency_key_on_batch',
    title: 'Idempotency-Key on a batch',
    status: 400,
    detail: 'The header Idempotency-Key names one call, so it cannot be sent with a batch of calls.',
    code: 'idempotency_key_on_batch',
  };
  const error = {
    message: problem.detail,
    code: -32600,
    data: { code: 'BAD_REQUEST', httpStatus: 400, problem },
  };
  expect(answer.json).toEqual([{ error }, { error }]);
  expect((await service.answer<RequestList>('GET', '/requests/', undefined, key)).items).toEqual([]);
});
