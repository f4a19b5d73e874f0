import {
  NOTHING_HERE,
  PROBLEMS,
  type ProblemCode,
  type ProblemMembers,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import type { Answer } from '../send.ts';
import { transports } from '../transports.ts';

const service = useService();

const NOWHERE = { detail: NOTHING_HERE };

const [, trpc] = transports;
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.ask('POST', `/trpc/${path}`, { body, headers });
const get = (path: string) => service.ask('GET', `/trpc/${path}`);
const input = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
const missing = (name: string) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' });
const fourMissing = ['patient_info', 'payer_info', 'provider_info', 'callback_url'].map(missing);

function expectProblem(answer: Answer, code: ProblemCode, members?: ProblemMembers) {
  expect(answer.json).toEqual(trpc?.problem(code, members));
  expect(answer.status).toBe(PROBLEMS[code].status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
}

test('an unknown procedure is not found', async () => {
  expectProblem(await post('requests.destroy', {}), 'not_found', NOWHERE);
  expectProblem(await get('requests'), 'not_found', NOWHERE);
  expectProblem(await get('requests.create.call'), 'not_found', NOWHERE);
});

test('GET for a mutation is 405 with what is allowed, and does nothing', async () => {
  const answer = await get(`requests.create?input=${input(aRequest())}`);
  expectProblem(answer, 'method_not_allowed');
  expect(answer.headers['allow']).toBe('POST');
});

test('POST for a query is 405 with what is allowed', async () => {
  const answer = await post('requests.list', {});
  expectProblem(answer, 'method_not_allowed');
  expect(answer.headers['allow']).toBe('GET');
});

// REST's body reader is used here too, so a content type means the same.
test.each(['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/vnd.api+json'])(
  '%s is JSON',
  async (type) => {
    expect((await post('requests.create', aRequest(), { 'content-type': type })).status).toBe(200);
  },
);

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'json',
  ';',
])('%s is not JSON', async (type) => {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  const answer = await post('requests.create', aRequest(), { 'content-type': type });
  expect([answer.status, answer.json]).toEqual([
    422,
    trpc?.invalid({ loc: ['body'], msg, type: 'model_attributes_type' }),
  ]);
});

test('no body, null and no object are reported as through REST', async () => {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  const absent = trpc?.invalid({ loc: ['body'], msg: 'Field required', type: 'missing' });
  expect((await post('requests.create', undefined)).json).toEqual(absent);
  expect((await post('requests.create', 'null')).json).toEqual(absent);
  for (const text of ['[]', '"x"', '5', 'true']) {
    expect((await post('requests.create', text)).json).toEqual(
      trpc?.invalid({ loc: ['body'], msg, type: 'model_attributes_type' }),
    );
  }
});

test('a query whose input is no JSON gets a 422', async () => {
  const malformed = trpc?.invalid({
    loc: ['query', 'input'],
    msg: 'JSON decode error',
    type: 'json_invalid',
  });
  for (const text of ['{', 'x', '%', '{"limit":1,}', '\ud800', 'NaN']) {
    const answer = await get(`requests.list?input=${encodeURIComponent(text.toWellFormed())}`);
    expect([answer.status, answer.json]).toEqual([422, malformed]);
  }
  expect((await get('requests.list?input=%ff')).status).toBe(422);
});

test('a query of 15 KB is read, and refused for what is wrong in it', async () => {
  const { status, json } = await get(`requests.list?input=${input({ x: 'y'.repeat(15_000) })}`);
  expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining('extra_forbidden')]);
});

test('a batch answers each call for itself', async () => {
  const batch = { 0: aRequest(), 1: {}, 2: { limit: 'x' } };
  const { status, json } = await post('requests.create,requests.create,nowhere?batch=1', batch);
  expect(status).toBe(207);
  expect(json).toEqual([
    trpc?.success(expect.objectContaining({ state: 'pending' })),
    trpc?.invalid(...fourMissing),
    trpc?.problem('not_found', NOWHERE),
  ]);
});

test('a batch of more than twenty calls is refused whole', async () => {
  const calls = (count: number) => Array<string>(count).fill('requests.list').join(',');
  expect((await get(`${calls(20)}?batch=1&input=${input({})}`)).status).toBe(200);
  expectProblem(await get(`${calls(21)}?batch=1&input=${input({})}`), 'bad_request');
  expectProblem(
    await post(`${Array<string>(1_000).fill('keys.create').join(',')}?batch=1`, {}),
    'bad_request',
  );
});

test('a batch that mixes queries and mutations is refused whole', async () => {
  expectProblem(await post('requests.create,requests.list?batch=1', {}), 'bad_request');
});

test.each([
  ['a list', '[]', 'bad_request'],
  ['a text', '"x"', 'bad_request'],
  ['null', 'null', 'bad_request'],
] as const)('a batch whose body is %s is refused', async (_, body, code) => {
  const { json } = await post('requests.create?batch=1', body);
  expect(json).toEqual([trpc?.problem(code)]);
});

test('a batch with a malformed body answers each call so', async () => {
  const { json } = await post('requests.create,requests.create?batch=1', '{"0":{},}');
  const fault = trpc?.invalid({ loc: ['body', 8], msg: 'JSON decode error', type: 'json_invalid' });
  expect(json).toEqual([fault, fault]);
});

test('an Idempotency-Key on a batch is refused', async () => {
  const answer = await post('requests.create?batch=1', { 0: aRequest() }, { 'idempotency-key': 'k' });
  expect([answer.status, answer.json]).toEqual([400, [trpc?.problem('idempotency_key_on_batch')]]);
});

test('prototypes do not pass for procedures or inputs', async () => {
  for (const path of ['__proto__', 'constructor', 'toString', 'requests.__proto__', 'hasOwnProperty']) {
    expectProblem(await post(path, {}), 'not_found', NOWHERE);
    expectProblem(await get(path), 'not_found', NOWHERE);
  }
  const { json } = await post('requests.create?batch=1', `{"__proto__":{"0":${JSON.stringify(aRequest())}}}`);
  expect(json).toEqual([trpc?.invalid({ loc: ['body'], msg: 'Field required', type: 'missing' })]);
});

test('what asks for a stream gets the whole answer', async () => {
  for (const headers of [
    { 'trpc-accept': 'application/jsonl' },
    { accept: 'application/jsonl, text/event-stream' },
  ]) {
    const answer = await service.ask('GET', `/trpc/requests.list?batch=1&input=${input({})}`, { headers });
    expect(answer).toMatchObject({ status: 200, json: [{ result: { data: { next_cursor: null } } }] });
  }
});

test('nothing that was sent comes back in an error, nor where it was thrown', async () => {
  const mark = 'Marked-7f3a91';
  const answers = await Promise.all([
    post(mark, { mark }),
    get(`${mark}?input=${input(mark)}`),
    get(`${mark}%ff`),
    post('requests.create', mark),
    post('requests.create', { ...aRequest(), callback_url: mark, payer_info: { name: mark } }),
    post('requests.create', aRequest(), { 'content-type': mark, 'idempotency-key': mark, 'x-key': mark }),
    get(`requests.get?input=${input({ request_id: mark })}`),
    get(`requests.list?input=${input({ cursor: mark, state: mark, limit: mark })}`),
    post(`requests.create,${mark}?batch=1`, mark),
    post(`keys.create?batch=1&connectionParams=${mark}`, {}),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBeGreaterThan(200);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/Marked|node_modules|\.ts|at \w+ \(/);
  }
});
