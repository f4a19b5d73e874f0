import { problemOf } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aSilentUrl } from '@insurance-verification/testing/a-silent-url';
import { expect, test } from 'vitest';
import { type Answer, aServer, breakOff, hang, hangUp, json, problem } from '../../test/a-server.ts';
import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsuranceVerificationError,
  NotFoundError,
  PayloadTooLargeError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '../errors.ts';
import { createRestClient, type RestClientOptions } from './create-rest-client.ts';

const stored = { request_id: 'req_1', state: 'pending' };

async function aClient(answers: [Answer, ...Answer[]], options: Partial<RestClientOptions> = {}) {
  const { url, seen } = await aServer(...answers);
  return { client: createRestClient({ url, apiKey: 'ivk_test_key', ...options }), seen, url };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (err: unknown) => err as InsuranceVerificationError & Record<string, unknown>,
  );

// Without it a request would be asked about another day than its caller means, or be worked on too late.
test('a create says the day to ask about and when it is needed, and no other call does', async () => {
  const { url, seen } = await aServer(json({ request_id: 'req_1' }));
  const client = createRestClient({ url });
  const said = { serviceDate: '2026-12-03', neededBy: new Date('2026-11-26T12:00:00-05:00') };
  await client.requests.create(aRequest(), said);
  await client.requests.get({ request_id: 'req_1' }, said as object);
  expect(seen.map(({ headers }) => [headers['service-date'], headers['needed-by']])).toEqual([
    ['2026-12-03', '2026-11-26T17:00:00.000Z'],
    [undefined, undefined],
  ]);
  const refused = { serviceDate: '3 December' };
  await expect(client.requests.create(aRequest(), refused)).rejects.toBeInstanceOf(TypeError);
});

test('a create is one POST with the key, the JSON and an Idempotency-Key of its own', async () => {
  const { client, seen } = await aClient([json(stored)]);
  expect(await client.requests.create(aRequest())).toEqual(stored);
  await client.requests.create(aRequest());
  const [first, second] = seen;
  expect(first).toMatchObject({ method: 'POST', target: '/requests/', body: JSON.stringify(aRequest()) });
  expect(first?.headers).toMatchObject({ 'x-key': 'ivk_test_key', 'content-type': 'application/json' });
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
});

test('a service below a path is found there, with or without a slash at the end of its address', async () => {
  const { url, seen } = await aServer(json(stored));
  for (const address of [`${url}/api/v`, `${url}/api/v/`, new URL(`${url}/api/v//`)]) {
    await createRestClient({ url: address }).requests.get({ request_id: 'req_1' });
  }
  expect(seen.map(({ target }) => target)).toEqual([
    '/api/v/requests/req_1',
    '/api/v/requests/req_1',
    '/api/v/requests/req_1',
  ]);
  expect(seen[0]?.headers).not.toHaveProperty('x-key');
});

test('ids are escaped, and those no path carries are not found instead of being another operation', async () => {
  const { client, seen } = await aClient([json(stored)]);
  await client.requests.result({ request_id: 'a/../b?c#d%2f\ud800' });
  expect(seen[0]?.target).toBe('/requests/a%2F..%2Fb%3Fc%23d%252f%EF%BF%BD/result');
  for (const request_id of ['', '.', '..']) {
    expect(await failureOf(client.requests.get({ request_id }))).toBeInstanceOf(NotFoundError);
  }
  expect(seen).toHaveLength(1);
});

test('a field that is not in the path goes into the query of a GET and the body of a POST', async () => {
  const { client, seen } = await aClient([json({ items: [], next_cursor: null })]);
  await client.requests.list({ limit: 5, state: 'pending' });
  await client.requests.list();
  await client.requests.close({ request_id: 'req_1', reason: 'withdrawn' });
  await client.heldOutputs.apply({ held_id: 'held_1' });
  await client.webhookSecret.rotate();
  expect(seen.map(({ method, target, body }) => [method, target, body])).toEqual([
    ['GET', '/requests/?limit=5&state=pending', ''],
    ['GET', '/requests/', ''],
    ['POST', '/requests/req_1/close', '{"reason":"withdrawn"}'],
    ['POST', '/held-outputs/held_1/apply', ''],
    ['POST', '/webhook-secret/rotate', ''],
  ]);
});

test('listAll reads a page when the one before is used up, and no further than it is asked', async () => {
  const { client, seen } = await aClient([
    json({ items: [1, 2], next_cursor: 'c2' }),
    json({ items: [3], next_cursor: 'c3' }),
    json({ items: [], next_cursor: null }),
  ]);
  const items: unknown[] = [];
  for await (const item of client.requests.listAll({ limit: 2 })) items.push(item);
  expect(items).toEqual([1, 2, 3]);
  expect(seen.map(({ target }) => target)).toEqual([
    '/requests/?limit=2',
    '/requests/?limit=2&cursor=c2',
    '/requests/?limit=2&cursor=c3',
  ]);
});

test('listAll stops asking when its reader stops', async () => {
  const { client, seen } = await aClient([json({ items: [1, 2], next_cursor: 'more' })]);
  for await (const item of client.keys.listAll()) if (item) break;
  expect(seen).toHaveLength(1);
});

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

const fault = { loc: ['body', 'callback_url'], msg: 'Field required', type: 'missing' };
const errors: [string, Answer, abstract new (...args: never[]) => Error, object][] = [
  ['422', json({ detail: [fault] }, 422), ValidationFailedError, { status: 422, detail: [fault] }],
  ['401', problem('unauthorized'), UnauthorizedError, { status: 401 }],
  [
    '403',
    problem('forbidden'),
    ForbiddenError,
    { status: 403, problemCode: 'forbidden', requiredScopes: [] },
  ],
  [
    '403 with the scopes that would do, one of them of a later version',
    json({ ...problemOf('forbidden'), required_scopes: ['requests', 'later', 7, 'operate'] }, 403),
    ForbiddenError,
    {
      requiredScopes: ['requests', 'operate'],
      message: expect.stringMatching(
        /: the API key lacks the scope that this operation needs \(requests or operate\)$/,
      ),
    },
  ],
  [
    '403 to this address',
    problem('address_not_allowed'),
    ForbiddenError,
    {
      requiredScopes: [],
      message: expect.stringMatching(/: the API key does not work from this network address$/),
    },
  ],
  [
    '403 of a proxy, which knows nothing of scopes',
    json({}, 403),
    ForbiddenError,
    { problemCode: undefined, message: expect.stringMatching(/: the call is forbidden$/) },
  ],
  [
    '403 of a suspended account',
    problem('account_suspended'),
    ForbiddenError,
    { problemCode: 'account_suspended', requiredScopes: [] },
  ],
  ['404', problem('not_found'), NotFoundError, { status: 404, problemCode: 'not_found' }],
  ['404 result_not_ready', problem('result_not_ready'), NotFoundError, { problemCode: 'result_not_ready' }],
  ['408', problem('request_timeout'), TimeoutError, {}],
  ['409', problem('request_finished'), ConflictError, { status: 409, problemCode: 'request_finished' }],
  ['413', problem('payload_too_large'), PayloadTooLargeError, { status: 413 }],
  ['429', problem('rate_limited', { 'retry-after': '7' }), TooManyRequestsError, { retryAfterSeconds: 7 }],
  [
    '403 for the address',
    problem('address_not_allowed'),
    ForbiddenError,
    { problemCode: 'address_not_allowed' },
  ],
  [
    '429 of a quota',
    json(problemOf('rate_limited', { violated_policies: ['intake'] }), 429),
    TooManyRequestsError,
    { violatedPolicies: ['intake'] },
  ],
  ['503', problem('unavailable'), UnavailableError, { status: 503, retryAfterSeconds: undefined }],
  [
    '500',
    json(problemOf('internal', { request_trace: 't-1' }), 500),
    UnexpectedAnswerError,
    { status: 500, problemCode: 'internal', requestTrace: 't-1' },
  ],
  [
    '409 of a service that has no `code` yet',
    json({ type: 'urn:insurance-verification:problem:lease_lost' }, 409),
    ConflictError,
    { problemCode: 'lease_lost' },
  ],
  [
    'a 404 that is not the service’s',
    (res) => res.writeHead(404).end('<h1>'),
    UnexpectedAnswerError,
    { status: 404 },
  ],
  ['a 409 of an unknown kind', json({ type: 'about:blank' }, 409), UnexpectedAnswerError, { status: 409 }],
  ['a 422 of another form', json({ detail: 'no' }, 422), UnexpectedAnswerError, { status: 422 }],
  ['a 200 that is no JSON', (res) => res.end('<h1>Sign in'), UnexpectedAnswerError, { status: 200 }],
];

test.each(errors)('%s becomes its class with its fields', async (_what, answer, Class, fields) => {
  const { client, url } = await aClient([answer], { retryCountMax: 0 });
  const err = await failureOf(client.requests.get({ request_id: 'req_1' }));
  expect(err).toBeInstanceOf(Class);
  expect(err).toBeInstanceOf(InsuranceVerificationError);
  expect(err).toMatchObject({ ...fields, name: Class.name, operation: 'requests.get', url });
  // A key of another environment, or an id of one, is found out by the address.
  expect(err).toHaveProperty('message', expect.stringContaining(url));
});

// "fetch failed" would mislead the reader.
test('what failed names the address and the cause', async () => {
  const empty = `${await aSilentUrl()}/below`;
  const refused = createRestClient({ url: `${empty}/`, retryCountMax: 0 });
  await expect(refused.webhookSecret.get()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: `webhookSecret.get at ${empty}: the connection failed (ECONNREFUSED)`,
    url: empty,
    causeCode: 'ECONNREFUSED',
  });
  const nowhere = createRestClient({ url: 'http://nobody.invalid', retryCountMax: 0 });
  await expect(nowhere.webhookSecret.get()).rejects.toMatchObject({
    message: expect.stringMatching(
      /^webhookSecret.get at http:\/\/nobody.invalid: the connection failed \(E\w+\)$/,
    ),
  });
  const { url } = await aServer(
    (res) => res.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
    json({}, 503),
  );
  const elsewhere = createRestClient({ url, retryCountMax: 0 });
  const message = `webhookSecret.get at ${url}: unexpected answer (404)`;
  await expect(elsewhere.webhookSecret.get()).rejects.toMatchObject({ message, url });
  const unavailable = `webhookSecret.get at ${url}: the service is unavailable (503)`;
  await expect(elsewhere.webhookSecret.get()).rejects.toMatchObject({ message: unavailable });
});

test('no message repeats anything of the answer, the input or the key', async () => {
  const leak = {
    detail: [{ ...fault, msg: 'CANARY', loc: ['body', 'CANARY'] }],
    type: 'CANARY',
    title: 'CANARY',
  };
  for (const status of [400, 401, 403, 404, 409, 413, 422, 429, 500, 503]) {
    const { client } = await aClient([json(leak, status)], { retryCountMax: 0, apiKey: 'CANARY' });
    const err = await failureOf(client.requests.close({ request_id: 'CANARY', reason: 'CANARY' as never }));
    expect(`${err.message} ${err.stack}`).not.toContain('CANARY');
  }
});

test('a redirect is not followed, since the key would go along', async () => {
  const elsewhere = await aServer(json(stored));
  const { client } = await aClient([(res) => res.writeHead(307, { location: elsewhere.url }).end()]);
  const err = await failureOf(client.requests.get({ request_id: 'req_1' }));
  expect(err).toBeInstanceOf(UnexpectedAnswerError);
  expect(err).toMatchObject({ status: 307 });
  expect(elsewhere.seen).toEqual([]);
});

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

test.each([
  ['an address that is none', { url: 'verify.example' }],
  ['another scheme', { url: 'ftp://verify.example' }],
  ['an address with a user', { url: 'https://me:secret@verify.example' }],
  ['a key with a line break', { apiKey: 'ivk_live_secret\nx: y' }],
  ['an empty key', { apiKey: '' }],
  ['no time', { timeoutMs: 0 }],
])('%s is reported when the client is made, without its value', (_what, wrong) => {
  expect(() => createRestClient({ url: 'https://verify.example', ...wrong })).toThrow(/^(?!.*secret)/);
});

test.each(['', ' key', 'key ', 'k\u00e9y', 'k'.repeat(256)])(
  'the Idempotency-Key %j is refused before it is sent',
  async (key) => {
    const { client, seen } = await aClient([json(stored)]);
    expect(await failureOf(client.requests.create(aRequest(), { idempotencyKey: key }))).toBeInstanceOf(
      TypeError,
    );
    expect(seen).toEqual([]);
  },
);
