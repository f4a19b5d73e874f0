import { problemOf } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { expectRefused } from '@insurance-verification/testing/wire/expect-refused';
import { expectTlsRefused } from '@insurance-verification/testing/wire/expect-tls-refused';
import { head } from '@insurance-verification/testing/wire/head';
import { malformedHttp } from '@insurance-verification/testing/wire/malformed-http';
import { expect, test } from 'vitest';
import { BOOTSTRAP_KEY, useService } from '../a-service.ts';
import { send } from '../send.ts';

const service = useService();

// Without an answer a client's author has no clue; left open, each such connection costs a socket.
test.each(malformedHttp({ get: '/livez', post: '/verification-output' }))(
  '%s is reported and the connection closed',
  (_, bytes, code) => expectRefused(service.url, bytes, problemOf(code)),
);

test('TLS on the port is answered as what it is, no HTTP, and closed', () => expectTlsRefused(service.url));

test('a header short of the bounds is read', async () => {
  const answer = await send('GET', `${service.url}/livez`, { headers: { a: 'x'.repeat(15_000) } });
  expect(answer.status).toBe(200);
});

// Some clients send the absolute URL, as to a proxy.
test('an absolute address is answered by its path', async () => {
  const connection = aConnection(service.url);
  connection.write(head(`GET ${service.url}/livez`));
  expect((await connection.answer()).json).toEqual({ status: 'alive' });
});

const create = (headers: readonly string[]) =>
  head('POST /requests/', ['content-length: 100000', 'expect: 100-continue', ...headers]);

// RFC 9110, 10.1.1: a body that would be refused is not asked for.
test.each<[string, string, number]>([
  ['without a key', create([]), 401],
  ['that is too large', create([`x-key: ${BOOTSTRAP_KEY}`]).replace('100000', '99999999'), 413],
  ['for a path that is none', create([]).replace('/requests/', '/nowhere'), 404],
  ['by another method', create([]).replace('POST /requests/', 'PATCH /requests/'), 405],
  ['through tRPC without a key', create([]).replace('/requests/', '/trpc/requests.create'), 401],
])('a body %s is answered in place of 100 Continue, and the connection closed', async (_, bytes, status) => {
  const connection = aConnection(service.url);
  connection.write(bytes);
  const text = await connection.closed();
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text).not.toContain('100 Continue');
  expect(text.match(/^HTTP\/1.1 /gm)).toHaveLength(1);
});

test('a body that is wanted is asked for, once', async () => {
  const body = JSON.stringify(aRequest());
  const connection = aConnection(service.url);
  const headers = [`x-key: ${BOOTSTRAP_KEY}`, 'expect: 100-continue', 'connection: close'];
  connection.write(head('POST /requests/', [...headers, `content-length: ${body.length}`]));
  await connection.heard('100 Continue');
  connection.write(body);
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
});

// RFC 9110, 6.6.1 and RFC 9111, 5.2.2.5: also of what never becomes a call.
test.each([
  ['400', 'GET / HTTP/1.1\r\nbad header\r\n\r\n'],
  ['431', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`],
])('a %s of the parser has its date, and may not be kept', async (status, bytes) => {
  const connection = aConnection(service.url);
  connection.write(bytes);
  const text = await connection.closed();
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const date = /^date: (.*)\r$/m.exec(text)?.[1] ?? '';
  expect(new Date(date).toUTCString()).toBe(date);
  expect(text).toMatch(/^cache-control: no-store\r$/m);
});

test('an unknown expectation is ignored', async () => {
  const answer = await send('GET', `${service.url}/livez`, { headers: { expect: 'miracles' } });
  expect(answer.status).toBe(200);
});

test('an unknown upgrade is ignored', async () => {
  const answer = await send('GET', `${service.url}/livez`, {
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  });
  expect(answer.json).toEqual({ status: 'alive' });
});

test('two requests at once on a connection are answered in their order', async () => {
  const connection = aConnection(service.url);
  connection.write(head('GET /livez') + head('GET /nowhere', ['Connection: close']));
  const text = await connection.closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
});
