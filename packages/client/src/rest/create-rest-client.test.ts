import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aClient, failureOf } from '../../test/a-client.ts';
import { aServer, json } from '../../test/a-server.ts';
import { NotFoundError, UnexpectedAnswerError, UnusableInputError } from '../errors.ts';
import { createRestClient } from './create-rest-client.ts';

const stored = { request_id: 'req_1', state: 'pending' };

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
  await expect(client.requests.create(aRequest(), refused)).rejects.toBeInstanceOf(UnusableInputError);
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

test('a redirect is not followed, since the key would go along', async () => {
  const elsewhere = await aServer(json(stored));
  const { client } = await aClient([(res) => res.writeHead(307, { location: elsewhere.url }).end()]);
  const err = await failureOf(client.requests.get({ request_id: 'req_1' }));
  expect(err).toBeInstanceOf(UnexpectedAnswerError);
  expect(err).toMatchObject({ status: 307 });
  expect(elsewhere.seen).toEqual([]);
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
      UnusableInputError,
    );
    expect(seen).toEqual([]);
  },
);

test.each([[Buffer.from('{}')], ['{}'], [[]], [null]])(
  'the input %j, which is no object, is refused before it is sent',
  async (input) => {
    const { client, seen } = await aClient([json(stored)]);
    expect(await failureOf(client.requests.create(input as never))).toBeInstanceOf(UnusableInputError);
    expect(seen).toEqual([]);
  },
);

// Without it a developer learns of an NPI that no payer knows from the first real answer.
test('what the service warns a test account of is said, by default on the console', async () => {
  const warned: string[] = [];
  const { url } = await aServer(
    json(stored, 200, { 'doubtful-members': 'provider_info.npi', 'ignored-members': 'cpt_code' }),
  );
  await createRestClient({ url, warn: (sentence) => warned.push(sentence) }).requests.create(aRequest());
  expect(warned).toEqual([
    'The service took the request, but no payer would know the values of: provider_info.npi.',
    'The service ignores members that it does not know: cpt_code.',
  ]);
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  await createRestClient({ url }).requests.create(aRequest());
  expect(said.mock.calls.flat()).toEqual(warned);
});

test.each([
  [
    { loc: ['body', 'patient_info', 'dob'], type: 'missing' },
    'the input is not valid at body.patient_info.dob: missing',
  ],
  [
    { loc: ['body', 'Jane Doe'], type: 'extra_forbidden' },
    'the input is not valid at body.…: extra_forbidden',
  ],
  [
    { loc: ['header', 'idempotency-key'], type: 'idempotency_key_reused' },
    'the Idempotency-Key was used with another input',
  ],
])('the message of a 422 names the place: %j', async (fault, message) => {
  const { client } = await aClient([json({ detail: [{ ...fault, msg: 'It is Jane Doe' }] }, 422)]);
  const failure = await failureOf(client.requests.create(aRequest()));
  expect(failure.message).toContain(message);
  expect(failure.message).not.toContain('Jane');
});
