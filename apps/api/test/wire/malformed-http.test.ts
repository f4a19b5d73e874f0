import { connect } from 'node:tls';
import { type ProblemCode, PROBLEMS, problemOf } from '@insurance-verification/schema';
import { aConnection } from '@insurance-verification/testing/a-connection';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { send } from '../send.ts';
import { head } from './head.ts';

let service: TestService;
beforeAll(async () => void (service = await startTestService()));
afterAll(() => service.stop());

const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}: v`);

const refused: [what: string, bytes: string | Uint8Array, code: ProblemCode][] = [
  ['a header of 20 KB', head('GET /livez', [`a: ${'x'.repeat(20_000)}`]), 'header_too_large'],
  ['an address of 20 KB', head(`GET /${'x'.repeat(20_000)}`), 'header_too_large'],
  ['2,500 headers', head('GET /livez', Array<string>(2_500).fill('a:b')), 'header_too_large'],
  ['101 headers', head('GET /livez', many(100)), 'header_too_large'],
  [
    'Content-Length and Transfer-Encoding',
    head('POST /keys', ['Content-Length: 2', 'Transfer-Encoding: chunked']),
    'bad_request',
  ],
  [
    'two different Content-Lengths',
    head('POST /keys', ['Content-Length: 2', 'Content-Length: 3']),
    'bad_request',
  ],
  ['a Content-Length that is no number', head('POST /keys', ['Content-Length: two']), 'bad_request'],
  [
    'a Content-Length past every number',
    head('POST /keys', [`Content-Length: ${'9'.repeat(40)}`]),
    'bad_request',
  ],
  ['another transfer coding', head('POST /keys', ['Transfer-Encoding: gzip, chunked']), 'bad_request'],
  [
    'a chunk without a length',
    `${head('POST /verification-output', ['Transfer-Encoding: chunked'])}zz\r\n`,
    'bad_request',
  ],
  ['no Host', head('GET /livez', [], ''), 'bad_request'],
  ['two Hosts', head('GET /livez', ['Host: other']), 'bad_request'],
  ['an address without a host', head('GET http://'), 'bad_request'],
  ['an address that is none', head('GET http://[::1/livez'), 'bad_request'],
  ['a method that HTTP does not know', head('FETCH /livez'), 'bad_request'],
  ['a tunnel', head('CONNECT service:443'), 'bad_request'],
  ['no HTTP', 'hello\r\n\r\n', 'bad_request'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_request'],
  ['a bare line feed in a header', 'GET /livez HTTP/1.1\nHost: a\nb\n\n', 'bad_request'],
  ['a control character in a header', head('GET /livez', ['x-key: a\u0001b']), 'bad_request'],
  ['a space in a header name', head('GET /livez', ['x key: b']), 'bad_request'],
];

// Without an answer a client's author has no clue; left open, each such connection costs a socket.
test.each(refused)('%s is told and the connection closed', async (_, bytes, code) => {
  const connection = aConnection(service.url);
  connection.write(bytes);
  const answer = await connection.answer();
  expect(answer.json).toEqual(problemOf(code));
  expect(answer.status).toBe(PROBLEMS[code].status);
  expect(answer.headers).toMatchObject({
    connection: 'close',
    'content-type': 'application/problem+json',
  });
  expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('TLS on the port is answered as what it is, no HTTP, and closed', async () => {
  const socket = connect({
    port: Number(new URL(service.url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  onTestFinished(() => void socket.destroy());
  let fault: NodeJS.ErrnoException | undefined;
  socket.on('error', (err) => (fault = err));
  // OpenSSL's name for plain HTTP in place of TLS.
  expect((await until('the handshake failed', () => fault)).code).toMatch(/^ERR_SSL_/);
  await until('the connection closed', () => socket.destroyed);
});

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

test('an expectation that nobody knows is ignored', async () => {
  const answer = await send('GET', `${service.url}/livez`, { headers: { expect: 'miracles' } });
  expect(answer.status).toBe(200);
});

test('an upgrade that nobody offers is ignored', async () => {
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
