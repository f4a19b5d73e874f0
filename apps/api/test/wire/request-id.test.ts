import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import type { Answer } from '../send.ts';

const service = useService({ env: { METRICS_PORT: '0' } });

/** The log line whose trace is the answer's id. */
const lineOf = ({ headers }: Answer) =>
  until('the line came', () =>
    service.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ trace }) => trace !== undefined && trace === headers['request-id']),
  );

const BATCH = '/trpc/requests.list,keys.list?batch=1';

// Without it a report such as "it failed at nine" could not be traced.
test.each<[what: string, method: string, path: string, options: object, status: number]>([
  ['a create', 'POST', '/requests/', { body: aRequest() }, 200],
  ['a body at fault', 'POST', '/requests/', { body: {} }, 422],
  ['a missing key', 'GET', '/requests/', { key: null }, 401],
  ['an unknown address', 'GET', '/nowhere', {}, 404],
  ['another method', 'DELETE', '/requests/', {}, 405],
  ['an address that is none', 'GET', '//', {}, 404],
  ['a content encoding', 'POST', '/requests/', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['a body too large', 'POST', '/requests/', { headers: { 'content-length': '99999999' } }, 413],
  ['a batch', 'GET', BATCH, {}, 200],
  ['an unknown procedure', 'GET', '/trpc/nothing', {}, 404],
  ['a probe', 'GET', '/livez', { key: null }, 200],
  ['a readiness probe', 'GET', '/readyz', { key: null }, 200],
  ['the reference', 'GET', '/docs', { key: null }, 200],
  ['the document', 'GET', '/openapi.json', { key: null }, 200],
  ['a page about a problem', 'GET', '/docs/problems/not_found', { key: null }, 200],
])('%s is answered with the id that the log has', async (_, method, path, options, status) => {
  const answer = await service.ask(method, path, options);
  expect(answer.status).toBe(status);
  expect(answer.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(await lineOf(answer)).toMatchObject({ status });
});

test('metrics at a listener of their own have one too', async () => {
  const res = await fetch(`${service.metricsUrl}/metrics`);
  expect(res.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

// Such bytes never become a call. Broke: the log had no trace of them.
test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a header of 20 KB', head('GET /livez', [`a: ${'x'.repeat(20_000)}`]), 431],
  ['a tunnel', head('CONNECT service:443'), 400],
  ['no Host', head('GET /livez', [], ''), 400],
])('what the parser refuses has an id that the log has: %s', async (_, bytes, status) => {
  const connection = aConnection(service.url);
  connection.write(bytes);
  const answer = await connection.answer();
  expect(answer.status).toBe(status);
  expect(await lineOf(answer)).toMatchObject({ status, problem: expect.any(String) });
});

test('a body that breaks off is answered with the id of its call', async () => {
  const connection = aConnection(service.url);
  connection.write(`${head('POST /verification-output', ['Transfer-Encoding: chunked'])}zz\r\n`);
  const answer = await connection.answer();
  expect(await lineOf(answer)).toMatchObject({ status: 400 });
  await until(
    'both lines came',
    () => service.logLines.filter((line) => line.includes(String(answer.headers['request-id']))).length === 2,
  );
});

test.each([['request-id'], ['x-request-id']])('an id in %s is logged with ours', async (name) => {
  const answer = await service.ask('GET', '/requests/', { headers: { [name]: 'job-7/visit:1181' } });
  expect(answer.headers['request-id']).not.toBe('job-7/visit:1181');
  expect(await lineOf(answer)).toMatchObject({ caller_trace: 'job-7/visit:1181' });
});

test('of both the one of our own name is taken', async () => {
  const headers = { 'x-request-id': 'of-the-proxy', 'request-id': 'of-the-caller' };
  expect(await lineOf(await service.ask('GET', '/livez', { headers }))).toMatchObject({
    caller_trace: 'of-the-caller',
  });
});

test.each([
  ['empty', ''],
  ['long', 'x'.repeat(129)],
  ['with a space', 'Jane Doe'],
  ['with a quote', 'a"b'],
  ['with an escape', 'a\u001b[31m'],
  ['not ASCII', 'é'],
])('an id that is %s is not logged', async (_, id) => {
  const connection = aConnection(service.url);
  connection.write(head('GET /livez', [`x-request-id: ${id}`]));
  const answer = await connection.answer();
  expect(await lineOf(answer)).not.toHaveProperty('caller_trace');
});
