import { problemOf } from '@insurance-verification/schema';
import { aSilentUrl } from '@insurance-verification/testing/a-silent-url';
import { expect, test } from 'vitest';
import { aClient, failureOf } from '../../test/a-client.ts';
import { type Answer, aServer, json, problem } from '../../test/a-server.ts';
import {
  ConflictError,
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
import { createRestClient } from './create-rest-client.ts';

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
