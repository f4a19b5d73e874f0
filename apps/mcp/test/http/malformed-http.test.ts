import { connect } from 'node:tls';
import { type ProblemCode, PROBLEMS } from '@insurance-verification/schema';
import { aConnection, exchange } from '@insurance-verification/testing/a-connection';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { call, HOST, listTools, useHttpDoor } from './an-http-door.ts';
import { head as headOf } from './head.ts';

const door = useHttpDoor();

// Broke: `GET //` ended this program. No request here may do so.
afterEach(() => door().assertWell());

const head = (line: string, headers: readonly string[] = [], host = HOST) => headOf(line, headers, host);
const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}: v`);

test.each([
  '//',
  '//mcp',
  '/%ff',
  '/%',
  '/#',
  '/a#b?c',
  '/\\mcp',
  '/mcp/',
  '/MCP',
  '/mcp%00',
  '/',
  '*',
  '//[',
  '/..//',
])('%s is nowhere, with a key or without', async (target) => {
  for (const lines of [[], [`x-key: ${API_KEY}`]]) {
    for (const method of ['GET', 'POST']) {
      const answer = await exchange(door().url, head(`${method} ${target}`, [...lines, 'content-length: 0']));
      expect([answer.status, answer.json]).toEqual([404, door().problem('not_found')]);
    }
  }
});

const refused: [what: string, bytes: string | Uint8Array, code: ProblemCode][] = [
  ['an address without a host', head('GET http://'), 'bad_request'],
  ['an address that is none', head('GET http://[::1/mcp'), 'bad_request'],
  ['an address with bytes beyond ASCII', Buffer.from(head('GET /\u00e9'), 'utf8'), 'bad_request'],
  ['a header of 20 KB', head('GET /mcp', [`a: ${'x'.repeat(20_000)}`]), 'header_too_large'],
  ['an address of 20 KB', head(`GET /${'x'.repeat(20_000)}`), 'header_too_large'],
  ['2,500 headers', head('GET /mcp', Array<string>(2_500).fill('a:b')), 'header_too_large'],
  ['101 headers', head('GET /mcp', many(100)), 'header_too_large'],
  [
    'Content-Length and Transfer-Encoding',
    head('POST /mcp', ['Content-Length: 2', 'Transfer-Encoding: chunked']),
    'bad_request',
  ],
  [
    'two different Content-Lengths',
    head('POST /mcp', ['Content-Length: 2', 'Content-Length: 3']),
    'bad_request',
  ],
  ['a Content-Length that is no number', head('POST /mcp', ['Content-Length: two']), 'bad_request'],
  [
    'a Content-Length past every number',
    head('POST /mcp', [`Content-Length: ${'9'.repeat(40)}`]),
    'bad_request',
  ],
  ['another transfer coding', head('POST /mcp', ['Transfer-Encoding: gzip, chunked']), 'bad_request'],
  ['no Host', head('GET /mcp', [], ''), 'bad_request'],
  ['two Hosts', head('GET /mcp', ['Host: other']), 'bad_request'],
  ['a method that HTTP does not know', head('FETCH /mcp'), 'bad_request'],
  ['a tunnel', head('CONNECT service:443'), 'bad_request'],
  ['no HTTP', 'hello\r\n\r\n', 'bad_request'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_request'],
  ['a bare line feed in a header', 'GET /mcp HTTP/1.1\nHost: a\nb\n\n', 'bad_request'],
  ['a control character in a header', head('GET /mcp', ['x-key: a\u0001b']), 'bad_request'],
  ['a space in a header name', head('GET /mcp', ['x key: b']), 'bad_request'],
];

test.each(refused)('%s is told and the connection closed', async (_, bytes, code) => {
  const connection = aConnection(door().url);
  connection.write(bytes);
  const answer = await connection.answer();
  expect(answer.json).toEqual(door().problem(code));
  expect(answer.status).toBe(PROBLEMS[code].status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  connection.cut();
});

test('TLS on the port is answered as what it is, no HTTP, and closed', async () => {
  const socket = connect({
    port: Number(new URL(door().url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  onTestFinished(() => void socket.destroy());
  const err = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
  // OpenSSL's name for plain HTTP in place of TLS.
  expect(err.code).toMatch(/^ERR_SSL_/);
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
  '%s is 405 and says that POST is allowed, with a key or without',
  async (method) => {
    for (const lines of [[], [`x-key: ${API_KEY}`]]) {
      const answer = await exchange(door().url, head(`${method} /mcp`, [...lines, 'content-length: 0']));
      expect([answer.status, answer.json]).toEqual([405, door().problem('method_not_allowed')]);
      expect(answer.headers['allow']).toBe('POST');
    }
  },
);

test('an upgrade that nobody offers and an expectation that nobody knows are ignored', async () => {
  const lines = ['connection: upgrade', 'upgrade: websocket'];
  expect((await door().post(listTools, lines)).status).toBe(200);
  expect((await door().post(listTools, ['expect: miracles'])).status).toBe(200);
});

test('a whole address is answered by its path', async () => {
  const bytes = Buffer.from(call(listTools)).toString().replace('POST /mcp', `POST ${door().url}/mcp?x=1`);
  expect((await exchange(door().url, bytes)).status).toBe(200);
});

// A web page reaches loopback under its own host name.
test('another name in Host or Origin is refused on loopback', async () => {
  for (const lines of [
    ['Host: evil.example'],
    ['Host: evil.example:80'],
    ['Host: []'],
    [HOST, 'Origin: https://evil.example'],
  ]) {
    const answer = await exchange(door().url, headOf('POST /mcp', [...lines, 'content-length: 0'], ''));
    expect({ lines, status: answer.status }).toEqual({ lines, status: 403 });
    expect(answer.json).toMatchObject({ jsonrpc: '2.0' });
  }
});
