import {
  ConflictError,
  ConnectionError,
  createRestClient,
  createTrpcClient,
  ForbiddenError,
  InsuranceVerificationError,
  isTrpcError,
  NotFoundError,
  parseWebhook,
  PayloadTooLargeError,
  UnauthorizedError,
  UnavailableError,
  ValidationFailedError,
  verifyWebhook,
  withIdempotencyKey,
} from '@insurance-verification/client';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { freePort } from '@insurance-verification/testing/free-port';
import { expect, test } from 'vitest';
import { aDatabaseGate } from './a-database-gate.ts';
import { aKey } from './a-key.ts';
import { aService, BOOTSTRAP_KEY, type ServiceOptions, WEBHOOK_SECRET } from './a-service.ts';

/** The packages' clients against a running service: its answers must be what they promise. */
async function aServiceWithClients(options?: ServiceOptions) {
  const service = await aService(options);
  const access = { url: service.url, apiKey: BOOTSTRAP_KEY };
  return { service, rest: createRestClient(access), trpc: createTrpcClient(access) };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (err: unknown) => err as Error & Record<string, unknown>,
  );

test('a request goes its whole way through the REST client, and its webhook verifies', async () => {
  const { rest } = await aServiceWithClients();
  const receiver = await aReceiver();
  const request = await rest.requests.create(aRequest({ callback_url: receiver.url }));
  expect(request).toMatchObject({ state: 'pending', error_reason: null });
  const ref = { request_id: request.request_id ?? '' };
  expect(await rest.requests.get(ref)).toEqual(request);

  const output = anOutput(request);
  expect(await rest.verificationOutput.submit(output)).toEqual({ status: 'applied', version: 1 });
  const [webhook] = await receiver.first();
  const received = { headers: webhook?.headers ?? {}, body: webhook?.body ?? '' };
  const result = await rest.requests.result(ref);
  expect(result.insurance_data).toEqual(output.insurance_data);

  const proven = await verifyWebhook({ ...received, secret: WEBHOOK_SECRET });
  const parsed = await parseWebhook({ ...received, secret: WEBHOOK_SECRET, payers: DEFAULT_PAYERS });
  expect(parsed).toEqual({ ...proven, version: 1, result });
  const { current } = await rest.webhookSecret.get();
  expect(current).toBe(WEBHOOK_SECRET);

  const { items } = await rest.requests.deliveries(ref);
  expect(items).toMatchObject([{ version: 1, status: expect.stringMatching(/pending|delivered/) }]);
  expect(await rest.requests.redeliver(ref)).toMatchObject(ref);
  const counted = rest.deliveries.redeliverExhausted({ since: '2026-01-01T00:00:00Z', dry_run: true });
  expect(await counted).toMatchObject({ matching: 0 });
});

test('the tRPC client answers the same, in a batch or not', async () => {
  const { rest, trpc } = await aServiceWithClients();
  const request = await trpc.requests.create.mutate(aRequest());
  const ref = { request_id: request.request_id ?? '' };
  const [one, page, secret] = await Promise.all([
    trpc.requests.get.query(ref),
    trpc.requests.list.query({}),
    trpc.webhookSecret.get.query(),
  ]);
  expect(one).toEqual(await rest.requests.get(ref));
  expect(page).toEqual(await rest.requests.list());
  expect(secret).toEqual(await rest.webhookSecret.get());
  expect(await trpc.verificationOutput.submit.mutate(anOutput(request))).toEqual({
    status: 'applied',
    version: 1,
  });
  expect(await trpc.requests.result.query(ref)).toEqual(await rest.requests.result(ref));
  expect(await trpc.heldOutputs.list.query({ limit: 1 })).toEqual(await rest.heldOutputs.list({ limit: 1 }));
});

test('the same key and input give the same request, through either client and both', async () => {
  const { rest, trpc } = await aServiceWithClients();
  const idempotencyKey = 'visit 4711';
  const first = await rest.requests.create(aRequest(), { idempotencyKey });
  expect(await rest.requests.create(aRequest(), { idempotencyKey })).toEqual(first);
  expect(await trpc.requests.create.mutate(aRequest(), withIdempotencyKey(idempotencyKey))).toEqual(first);
  expect((await rest.requests.list()).items).toHaveLength(1);

  const other = aRequest({ cpt_code_coverage: null });
  const err = await failureOf(rest.requests.create(other, { idempotencyKey }));
  expect(err).toBeInstanceOf(ValidationFailedError);
  expect(err['detail']).toMatchObject([
    { loc: ['header', 'idempotency-key'], type: 'idempotency_key_reused' },
  ]);
});

test('a lost answer is asked for again, and stores nothing twice', async () => {
  const { service, rest } = await aServiceWithClients();
  let sentCount = 0;
  const losesFirstAnswer: typeof fetch = async (input, init) => {
    const res = await fetch(input, init);
    sentCount += 1;
    if (sentCount === 1) throw new TypeError('the connection broke');
    return res;
  };
  const client = createRestClient({ url: service.url, apiKey: BOOTSTRAP_KEY, fetch: losesFirstAnswer });
  const request = await client.requests.create(aRequest());
  expect(sentCount).toBe(2);
  expect((await rest.requests.list()).items).toEqual([request]);
});

test('creates at once with one key end as one request: those that come too early wait and try again', async () => {
  const { service } = await aServiceWithClients();
  const patient = createRestClient({ url: service.url, apiKey: BOOTSTRAP_KEY, retryCountMax: 50 });
  const idempotencyKey = 'visit 4712';
  const ten = Array.from({ length: 10 }, () => patient.requests.create(aRequest(), { idempotencyKey }));
  expect(new Set((await Promise.all(ten)).map(({ request_id: id }) => id)).size).toBe(1);
});

test('listAll goes over all pages, newest first', async () => {
  const { rest } = await aServiceWithClients();
  const ids: unknown[] = [];
  for (const _ of Array.from({ length: 5 })) ids.unshift((await rest.requests.create(aRequest())).request_id);
  const listed: unknown[] = [];
  for await (const { request_id: id } of rest.requests.listAll({ limit: 2 })) listed.push(id);
  expect(listed).toEqual(ids);
});

test('an operator’s operations are there: accounts, keys, held outputs', async () => {
  const { service, rest } = await aServiceWithClients();
  const account = await rest.accounts.create({ name: 'Main Street Dental' });
  const { key, key_id } = await rest.keys.create({ account_id: account.account_id, scopes: ['requests'] });
  const theirs = createRestClient({ url: service.url, apiKey: key });
  const request = await theirs.requests.create(aRequest());
  expect(
    await theirs.requests.close({ request_id: request.request_id ?? '', reason: 'withdrawn' }),
  ).toMatchObject({
    state: 'error_verifying',
    error_reason: 'withdrawn',
  });
  expect((await rest.keys.revoke({ key_id })).revoked_at).not.toBeNull();
  expect(await failureOf(theirs.requests.list())).toBeInstanceOf(UnauthorizedError);

  const unmatched = anOutput({ ...request, request_id: null });
  const { held_id = '' } = await rest.verificationOutput.submit(unmatched);
  expect((await rest.heldOutputs.get({ held_id })).output).toEqual(unmatched);
  expect(await rest.heldOutputs.dismiss({ held_id, note: 'a test' })).toEqual({ status: 'dismissed' });
  const err = await failureOf(rest.heldOutputs.apply({ held_id }));
  expect(err).toBeInstanceOf(ConflictError);
  expect(err).toMatchObject({ problemCode: 'held_output_settled' });

  await rest.verificationOutput.submit(unmatched);
  expect((await rest.heldOutputs.list({ reason: 'unmatched' })).items).toHaveLength(1);
  expect((await rest.heldOutputs.list({ reason: 'untrusted' })).items).toEqual([]);
  expect(await rest.heldOutputs.dismissMany({ reason: 'unmatched' })).toEqual({ dismissed: 1, more: false });
});

test('each error of the service is its class, with its fields', async () => {
  const { service, rest } = await aServiceWithClients();
  const { request_id } = await rest.requests.create(aRequest());
  const ref = { request_id: request_id ?? '' };

  const invalid = await failureOf(rest.requests.create({ ...aRequest(), callback_url: 'ftp://x' }));
  expect(invalid).toBeInstanceOf(ValidationFailedError);
  expect(invalid['detail']).toMatchObject([{ loc: ['body', 'callback_url'], type: 'url_scheme' }]);
  const badQuery = await failureOf(rest.requests.list({ limit: 101 }));
  expect(badQuery['detail']).toMatchObject([{ loc: ['query', 'limit'], type: 'less_than_equal' }]);

  const stranger = createRestClient({ url: service.url });
  expect(await failureOf(stranger.requests.list())).toBeInstanceOf(UnauthorizedError);
  const provider = createRestClient({ url: service.url, apiKey: await aKey(service) });
  expect(await failureOf(provider.keys.list())).toBeInstanceOf(ForbiddenError);
  expect(await failureOf(provider.keys.list())).toMatchObject({ requiredScopes: ['admin'] });
  expect(await failureOf(provider.requests.get(ref))).toMatchObject({
    problemCode: 'not_found',
    status: 404,
  });
  const early = await failureOf(rest.requests.result(ref));
  expect(early).toBeInstanceOf(NotFoundError);
  expect(early).toMatchObject({ problemCode: 'result_not_ready' });
  const noResult = await failureOf(rest.requests.redeliver(ref));
  expect(noResult).toBeInstanceOf(ConflictError);
  expect(noResult).toMatchObject({ problemCode: 'no_result' });

  const nobody = createRestClient({ url: `http://127.0.0.1:${await freePort()}`, retryCountMax: 0 });
  expect(await failureOf(nobody.requests.get(ref))).toBeInstanceOf(ConnectionError);
  for (const err of [invalid, badQuery, early, noResult])
    expect(err).toBeInstanceOf(InsuranceVerificationError);
});

test('while the database is away a call is UnavailableError; a create under way is stored when it is back', async () => {
  const gate = await aDatabaseGate();
  const { service, rest } = await aServiceWithClients({
    databaseUrl: gate.databaseUrl,
    env: { DATABASE_DIRECT_URL: gate.directUrl },
  });
  await gate.shut();
  const hasty = createRestClient({ url: service.url, apiKey: BOOTSTRAP_KEY, retryCountMax: 0 });
  const err = await failureOf(hasty.requests.list());
  expect(err).toBeInstanceOf(UnavailableError);
  expect(err).toMatchObject({ status: 503, retryAfterSeconds: 2, requestTrace: expect.any(String) });

  const patient = createRestClient({ url: service.url, apiKey: BOOTSTRAP_KEY, retryCountMax: 50 });
  const created = patient.requests.create(aRequest());
  await gate.open();
  const request = await created;
  expect((await rest.requests.list()).items).toEqual([request]);
});

test('too large a body is PayloadTooLargeError', async () => {
  const { rest } = await aServiceWithClients({ env: { MAX_BODY_BYTES: '1024' } });
  const large = aRequest({ callback_url: `https://clinic.example/${'x'.repeat(1_500)}` });
  expect(await failureOf(rest.requests.create(large))).toBeInstanceOf(PayloadTooLargeError);
});

test('the tRPC client’s errors hold the list of faults or the problem', async () => {
  const { service, trpc } = await aServiceWithClients();
  const invalid = await failureOf(trpc.requests.create.mutate({ ...aRequest(), callback_url: '' }));
  expect(isTrpcError(invalid)).toBe(true);
  expect(invalid['data']).toEqual({
    code: 'UNPROCESSABLE_CONTENT',
    httpStatus: 422,
    detail: [
      {
        loc: ['body', 'callback_url'],
        msg: 'Input should be a valid URL, input is empty',
        type: 'url_parsing',
      },
    ],
  });
  const missing = await failureOf(trpc.requests.get.query({ request_id: 'req_none' }));
  expect(missing['data']).toMatchObject({
    code: 'NOT_FOUND',
    httpStatus: 404,
    problem: { type: '/docs/problems/not_found', code: 'not_found' },
  });
  const stranger = createTrpcClient({ url: service.url });
  expect(await failureOf(stranger.keys.list.query({}))).toMatchObject({
    data: { code: 'UNAUTHORIZED', httpStatus: 401 },
  });
});
