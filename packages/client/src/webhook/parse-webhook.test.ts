import { aRequest } from '@insurance-verification/testing/a-request';
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
import { expect, expectTypeOf, test } from 'vitest';
import { WebhookContentError } from '../errors.ts';
import { parseEvent, parseWebhook } from './parse-webhook.ts';

const secret = createWebhookSecret();
const now = new Date('2026-11-20T12:00:00Z');
const payers = ['Plan A', 'Plan B', 'Plan C', 'Plan D'] as const;

function aResult(payer = 'Plan A') {
  return {
    request: {
      request_id: 'req_1',
      input: aRequest({ payer_info: { name: payer } }),
      received_timestamp: '2026-11-20T11:00:00Z',
      state: 'complete',
      error_reason: null,
    },
    insurance_data: [
      {
        person_uuid: 'p-1',
        verification_time: '2026-11-20T11:30:00Z',
        verification_source: 'api',
        patient_info: { subscriber_id: 'W123456789' },
        plan_info: { payer_name: payer, eligibility_status: 'Active' },
      },
    ],
  };
}

function aWebhook(content: unknown, headers: Record<string, string> = {}) {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const id = 'msg_1';
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(now.getTime() / 1000),
      'webhook-signature': signWebhook({ id, timestamp: now, body, secrets: [secret] }),
      'verification-version': '2',
      ...headers,
    },
    body,
    secret,
    now,
  };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it was accepted'),
    (err: unknown) => err as Error & Record<string, unknown>,
  );

test('gives the result, the id to deduplicate on, the instant and the version', async () => {
  expect(await parseWebhook(aWebhook(aResult()))).toEqual({
    id: 'msg_1',
    timestamp: now,
    version: 2,
    result: aResult(),
  });
});

test('takes any payer unless a list is given, then only those, with literal types', async () => {
  const open = await parseWebhook(aWebhook(aResult('Any Plan')));
  expectTypeOf(open.result.request.input.payer_info.name).toEqualTypeOf<string>();

  const own = await parseWebhook({ ...aWebhook(aResult('Plan B')), payers });
  expectTypeOf(own.result.request.input.payer_info.name).toEqualTypeOf<(typeof payers)[number]>();
  expect(own.result.request.input.payer_info.name).toBe('Plan B');

  const err = await failureOf(parseWebhook({ ...aWebhook(aResult('Any Plan')), payers }));
  expect(err).toBeInstanceOf(WebhookContentError);
  expect(err['detail']).toMatchObject([
    { loc: ['body', 'request', 'input', 'payer_info', 'name'], type: 'enum' },
    { loc: ['body', 'insurance_data', 0, 'plan_info', 'payer_name'], type: 'enum' },
  ]);
});

test('takes an ArrayBuffer, and asks for the raw body where it was parsed', async () => {
  const { body, ...rest } = aWebhook(aResult());
  const buffer = new Uint8Array(body).buffer;
  expect((await parseWebhook({ ...rest, body: buffer })).result).toEqual(aResult());
  for (const parsed of [aResult(), undefined, null, 7])
    expect(await failureOf(parseWebhook({ ...rest, body: parsed as never }))).toMatchObject({
      name: 'WebhookVerificationError',
      reason: 'bad_body',
    });
});

test('refuses what is not signed before it looks at it', async () => {
  const forged = { ...aWebhook(aResult()), body: 'not even JSON' };
  expect(await failureOf(parseWebhook(forged))).toMatchObject({
    name: 'WebhookVerificationError',
    reason: 'no_matching_signature',
  });
});

test('says what is wrong with a signed body that is no result, and repeats none of it', async () => {
  for (const content of ['{"CANARY":', '\ufeff', { request: { request_id: ['CANARY'] } }, null, []]) {
    const err = await failureOf(parseWebhook(aWebhook(content)));
    expect(err).toBeInstanceOf(WebhookContentError);
    expect(err['detail']).not.toEqual([]);
    expect(JSON.stringify([err.message, err.stack, err.cause, err['detail']])).not.toContain('CANARY');
  }
});

test('the version is null when the header was taken off or is no number', async () => {
  for (const value of ['', '0', '-1', '1.5', 'two']) {
    const webhook = aWebhook(aResult(), { 'verification-version': value });
    expect((await parseWebhook(webhook)).version).toBeNull();
  }
  const { headers, ...rest } = aWebhook(aResult());
  expect((await parseWebhook({ ...rest, headers: new Headers(headers) })).version).toBe(2);
  expect(
    (await parseWebhook({ ...rest, headers: { ...headers, 'verification-version': undefined } })).version,
  ).toBeNull();
  expect(
    (await parseWebhook({ ...rest, headers: { ...headers, 'verification-version': ['3'] } })).version,
  ).toBe(3);
});

const anEvent = {
  id: 'evt_1',
  type: 'request.answered',
  account_id: 'acct_1',
  occurred_at: '2026-11-20T11:30:00Z',
  number: 1,
  data: { request_id: 'req_1', version: 1 },
};

test('gives the event of a webhook, also one of a type or with an id that this version does not know', async () => {
  expect(await parseEvent(aWebhook(anEvent))).toEqual(anEvent);
  const later = { ...anEvent, type: 'batch.ended', data: { batch_id: 'bat_1' } };
  expect(await parseEvent(aWebhook(later))).toEqual(later);
});

test('refuses an event that is not signed, and a signed body that is not an event', async () => {
  const forged = { ...aWebhook(anEvent), body: JSON.stringify({ ...anEvent, number: 2 }) };
  expect(await failureOf(parseEvent(forged))).toMatchObject({ name: 'WebhookVerificationError' });
  const err = await failureOf(parseEvent(aWebhook(aResult())));
  expect(err).toBeInstanceOf(WebhookContentError);
  expect(err.message).toContain('the body is not an event');
  expect(err['operation']).toBe('event');
});
