import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { aClient, failureOf } from '../../test/a-client.ts';
import { type Answer, breakOff, hang, hangUp, json, problem } from '../../test/a-server.ts';
import { ConnectionError, TooManyRequestsError, UnavailableError } from '../errors.ts';

const stored = { request_id: 'req_1', state: 'pending' };

const lost: [string, Answer][] = [
  ['hangs up', hangUp],
  ['breaks off in the middle of its answer', breakOff],
  ['answers 503', problem('unavailable', { 'retry-after': '0' })],
  ['answers 502 for its proxy', json({}, 502, { 'retry-after': '0' })],
  ['answers 409 idempotency_in_progress', problem('idempotency_in_progress', { 'retry-after': '0' })],
  ['answers 429', problem('rate_limited', { 'retry-after': '0' })],
];

test.each(lost)(
  'a create is sent again with the same key and bytes when the service %s',
  async (_what, answer) => {
    const { client, seen } = await aClient([answer, answer, json(stored)]);
    expect(await client.requests.create(aRequest(), { idempotencyKey: 'visit 7' })).toEqual(stored);
    expect(seen.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
      [1, 2, 3].map(() => ['visit 7', JSON.stringify(aRequest())]),
    );
  },
);

test('an attempt without an answer in time is given up and tried again', async () => {
  const { client, seen } = await aClient([hang, json(stored)], { timeoutMs: 500 });
  expect(await client.requests.create(aRequest())).toEqual(stored);
  expect(seen.length).toBeGreaterThan(1);
});

test('retries are bounded, and the error names the key to try again with later', async () => {
  const { client, seen } = await aClient([problem('unavailable', { 'retry-after': '0' })], {
    retryCountMax: 2,
  });
  const err = await failureOf(client.requests.create(aRequest(), { idempotencyKey: 'visit 7' }));
  expect(err).toBeInstanceOf(UnavailableError);
  expect(err).toMatchObject({
    idempotencyKey: 'visit 7',
    operation: 'requests.create',
    retryAfterSeconds: 0,
  });
  expect(seen).toHaveLength(3);
});

test('the generated key is in the error too', async () => {
  const { client, seen } = await aClient([hangUp], { retryCountMax: 0 });
  const err = await failureOf(client.requests.create(aRequest()));
  expect(err).toBeInstanceOf(ConnectionError);
  expect(err.idempotencyKey).toBe(seen[0]?.headers['idempotency-key']);
});

test('a longer Retry-After than the client waits is reported to the caller at once', async () => {
  const { client, seen } = await aClient([problem('held_capacity_exceeded', { 'retry-after': '3600' })]);
  const err = await failureOf(client.verificationOutput.submit({} as never));
  expect(err).toBeInstanceOf(TooManyRequestsError);
  expect(err).toMatchObject({ status: 429, retryAfterSeconds: 3600 });
  expect(seen).toHaveLength(1);
});

test.each(['close', 'keys.create', 'rotate', 'apply'] as const)(
  'a lost answer of %s is not sent again: twice is not the same as once',
  async (operation) => {
    const { client, seen } = await aClient([hangUp]);
    const calls = {
      close: () => client.requests.close({ request_id: 'r', reason: 'expired' }),
      'keys.create': () => client.keys.create({ account_id: 'a', scopes: ['requests'] }),
      rotate: () => client.webhookSecret.rotate(),
      apply: () => client.heldOutputs.apply({ held_id: 'h' }),
    };
    expect(await failureOf(calls[operation]())).toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(1);
  },
);

test('the caller’s signal ends a call, and the wait before a retry, with its own reason', async () => {
  const reason = new Error('closed the page');
  const abort = new AbortController();
  const { client, seen } = await aClient([
    (res) => {
      problem('unavailable', { 'retry-after': '9' })(res);
      abort.abort(reason);
    },
  ]);
  expect(await failureOf(client.requests.create(aRequest(), { signal: abort.signal }))).toBe(reason);
  expect(await failureOf(client.requests.get({ request_id: 'r' }, { signal: abort.signal }))).toBe(reason);
  expect(seen).toHaveLength(1);

  const hanging = await aClient([hang]);
  const soon = AbortSignal.timeout(50);
  expect(await failureOf(hanging.client.requests.get({ request_id: 'r' }, { signal: soon }))).toBe(
    soon.reason,
  );
});
