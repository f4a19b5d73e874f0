import { NOTHING_HERE } from '@insurance-verification/schema';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { exchange } from '@insurance-verification/testing/wire/a-connection';
import { expectRefused } from '@insurance-verification/testing/wire/expect-refused';
import { expectTlsRefused } from '@insurance-verification/testing/wire/expect-tls-refused';
import { head as headOf } from '@insurance-verification/testing/wire/head';
import { malformedHttp } from '@insurance-verification/testing/wire/malformed-http';
import { afterEach, expect, test } from 'vitest';
import { call, callHeaders, HOST, listTools, useHttpServer } from './an-http-server.ts';

const server = useHttpServer();

// Broke: `GET //` ended this program. No request here may do so.
afterEach(() => server().assertWell());

const head = (line: string, headers: readonly string[] = [], host = HOST) => headOf(line, headers, host);

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
      const answer = await exchange(
        server().url,
        head(`${method} ${target}`, [...lines, 'content-length: 0']),
      );
      expect([answer.status, answer.json]).toEqual([
        404,
        { ...server().problem('not_found'), detail: NOTHING_HERE },
      ]);
    }
  }
});

test.each(malformedHttp({ get: '/mcp', post: '/mcp', postHeaders: callHeaders, host: HOST }))(
  '%s is reported and the connection closed',
  (_, bytes, code) => expectRefused(server().url, bytes, server().problem(code)),
);

test('TLS on the port is answered as what it is, no HTTP, and closed', () => expectTlsRefused(server().url));

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
  '%s is 405 and says that POST is allowed, with a key or without',
  async (method) => {
    for (const lines of [[], [`x-key: ${API_KEY}`]]) {
      const answer = await exchange(server().url, head(`${method} /mcp`, [...lines, 'content-length: 0']));
      expect([answer.status, answer.json]).toEqual([405, server().problem('method_not_allowed')]);
      expect(answer.headers['allow']).toBe('POST');
    }
  },
);

test('an upgrade that nobody offers and an expectation that nobody knows are ignored', async () => {
  const lines = ['connection: upgrade', 'upgrade: websocket'];
  expect((await server().post(listTools, lines)).status).toBe(200);
  expect((await server().post(listTools, ['expect: miracles'])).status).toBe(200);
});

test('a whole address is answered by its path', async () => {
  const bytes = Buffer.from(call(listTools)).toString().replace('POST /mcp', `POST ${server().url}/mcp?x=1`);
  expect((await exchange(server().url, bytes)).status).toBe(200);
});

// A web page reaches loopback under its own host name.
test('another name in Host or Origin is refused on loopback', async () => {
  for (const lines of [
    ['Host: evil.example'],
    ['Host: evil.example:80'],
    ['Host: []'],
    [HOST, 'Origin: https://evil.example'],
  ]) {
    const answer = await exchange(server().url, headOf('POST /mcp', [...lines, 'content-length: 0'], ''));
    expect({ lines, status: answer.status }).toEqual({ lines, status: 403 });
    expect(answer.json).toMatchObject({ jsonrpc: '2.0' });
  }
});
