import {
  NOTHING_HERE,
  problemOf,
  type RequestModel,
  type ValidationError,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { describe, expect, test } from 'vitest';
import { BOOTSTRAP_KEY, useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService();

const get = (target: string) => exchange(service.url, head(`GET ${target}`, [`x-key: ${BOOTSTRAP_KEY}`]));

test.each([
  '//requests/',
  '//',
  '/requests//',
  '/requests/%ff/result/',
  '/%ff',
  '/%',
  '/%00',
  '/%2frequests/',
  '/Requests/',
  '/requests/./',
  '/requests/../livez',
  '/livez/',
  '/livez;a=b',
  '/livez%00',
  '/livez%3f',
  '/#',
  '/#/livez',
  '/a#b?c',
  '/\\livez',
])('%s is nowhere, and no more is said', async (target) => {
  const { status, json } = await exchange(service.url, head(`GET ${target}`));
  expect([status, json]).toEqual([404, problemOf('not_found', { detail: NOTHING_HERE })]);
});

test.each([
  '/trpc/x',
  '/trpc/requests.create/x',
  '/trpc/__proto__',
  '/trpc/constructor',
  '/trpc/requests',
  '/trpc/..%2flivez',
])('%s is nowhere, in the words of tRPC', async (target) => {
  const { status, json } = await get(target);
  expect([status, json]).toEqual([404, transports[1]?.problem('not_found', { detail: NOTHING_HERE })]);
});

test('a path of tRPC that is no text is a bad request', async () => {
  const { status, json } = await get('/trpc/%ff');
  expect([status, json]).toEqual([400, transports[1]?.problem('bad_request')]);
});

const malformedIds = [
  'x',
  'req_',
  'req_x',
  '%00',
  '%ff',
  '%',
  'a%2fb',
  "'; drop table request; --",
  '../../etc/passwd',
  '😀',
  'x'.repeat(5_000),
  '%ed%a0%80',
  '__proto__',
  'null',
  '-1',
];

// A different answer for a malformed id would reveal which ids could be real.
test.each([
  ['requests.get', '/requests/$'],
  ['requests.result', '/requests/$/result'],
  ['requests.deliveries', '/requests/$/deliveries'],
  ['heldOutputs.get', '/held-outputs/$'],
] as const)('a malformed id at %s has the bytes of an unknown one', async (_, path) => {
  const { request_id } = await aStoredRequest(service);
  const unknownId = path.startsWith('/held')
    ? 'held_01jd0000000000000000000000'
    : request_id.slice(0, -5) + '00000';
  const unknown = await get(path.replace('$', unknownId));
  expect(unknown).toMatchObject({ status: 404, json: problemOf('not_found') });
  for (const id of malformedIds) {
    const malformed = await get(path.replace('$', /^[%\w]*$/.test(id) ? id : encodeURIComponent(id)));
    expect({ id, ...malformed }).toMatchObject({ id, status: 404, text: unknown.text });
    expect(malformed.headers['content-type']).toBe(unknown.headers['content-type']);
  }
});

test.each([
  ['redeliver', '/requests/$/redeliver', undefined],
  ['close', '/requests/$/close', { reason: 'withdrawn' }],
  ['apply', '/held-outputs/$/apply', undefined],
  ['dismiss', '/held-outputs/$/dismiss', {}],
  ['revoke', '/keys/$/revoke', undefined],
])('a malformed id to %s is a 404', async (_, path, body) => {
  for (const id of malformedIds) {
    const answer = await service.ask(
      'POST',
      path.replace('$', /^[%\w]*$/.test(id) ? id : encodeURIComponent(id)),
      { body },
    );
    expect({ id, status: answer.status, json: answer.json }).toEqual({
      id,
      status: 404,
      json: problemOf('not_found'),
    });
  }
});

describe.each(transports)('over $name', (transport) => {
  const list = (input: Record<string, unknown>, operation: OperationName = 'requests.list') =>
    transport.call(service, operation, input);
  const at = (name: string, type: string, msg: string): ValidationError => ({
    loc: ['query', name],
    msg,
    type,
  });

  test.each([
    [0, at('limit', 'greater_than_equal', 'Input should be greater than or equal to 1')],
    [101, at('limit', 'less_than_equal', 'Input should be less than or equal to 100')],
    [-1, at('limit', 'greater_than_equal', 'Input should be greater than or equal to 1')],
  ])('a limit of %s is reported at the query', async (limit, fault) => {
    for (const operation of ['requests.list', 'heldOutputs.list', 'keys.list', 'accounts.list'] as const) {
      const answer = await list({ limit }, operation);
      expect([answer.status, answer.json]).toEqual([422, transport.invalid(fault)]);
    }
  });

  test.each([
    'x',
    '',
    'req_',
    'held_01jd0000000000000000000000',
    "' or 1=1",
    '\0',
    '\ud800',
    'x'.repeat(3_000),
  ])('an invalid cursor %j is reported at the query', async (cursor) => {
    const answer = await list({ cursor });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid(
        at('cursor', 'value_error', 'Value should be the next_cursor of a page of this list'),
      ),
    );
  });

  test.each(['done', '', 'Pending', 'pending ', '\0'])(
    'an invalid state %j is reported at the query',
    async (state) => {
      const answer = await list({ state });
      const msg = "Input should be 'pending', 'complete', 'error_verifying' or 'error_sending_webhook'";
      expect([answer.status, answer.json]).toEqual([422, transport.invalid(at('state', 'enum', msg))]);
    },
  );
});

test.each(['abc', '5.5', '', '1e1', '0x5', 'null', '99999999999999999999x'])(
  'a limit %j that is no integer is reported',
  async (limit) => {
    const { status, json } = await get(`/requests/?limit=${limit}`);
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    expect([status, json]).toEqual([
      422,
      { detail: [{ loc: ['query', 'limit'], msg, type: 'int_parsing' }] },
    ]);
  },
);

test('every fault of a query is reported, in the order of the schema', async () => {
  const { json } = await get('/requests/?state=x&limit=0');
  const { detail } = json as { detail: ValidationError[] };
  expect(detail.map(({ loc }) => loc[1])).toEqual(['limit', 'state']);
});

test('repeated and oddly spelled parts of a query do no harm, unknown ones are refused by name', async () => {
  await aStoredRequest(service);
  for (const query of ['?__proto__=1', '?%ff=%ff&limit=1', '?limit=1&&=&a']) {
    const { status, json } = await get(`/requests/${query}`);
    const { detail } = json as { detail: { loc: string[]; type: string }[] };
    expect({ query, status }).toEqual({ query, status: 422 });
    for (const { loc, type } of detail) expect([loc[0], type]).toEqual(['query', 'extra_forbidden']);
  }
  for (const query of ['?limit=0&limit=1', '?limit=%31', '?limit=+1']) {
    const { status, json } = await get(`/requests/${query}`);
    expect({ query, status }).toEqual({ query, status: 200 });
    expect((json as { items: RequestModel[] }).items.length).toBeGreaterThan(0);
  }
});
