import { request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { aKoaServer, anApp } from '../../test/a-koa-server.ts';
import { answerErrors } from './answer-errors.ts';
import { openCall } from './every-call.ts';
import { guardRequest } from './guard-request.ts';

async function ask(options: RequestOptions) {
  const { app } = anApp();
  const url = await aKoaServer(
    openCall(app),
    answerErrors(() => null),
    guardRequest(1_000),
    (koa) => {
      koa.body = `${koa.path} ${koa.querystring}`;
    },
  );
  const { port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const sent = request({ port, agent: false, ...options }, (res) => {
    text(res).then((body) => resolve({ status: res.statusCode, body }), reject);
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

// Without it a body that nobody may send would be read before it is refused.
test.each([
  [400, { 'transfer-encoding': 'gzip, chunked' }],
  [415, { 'content-encoding': 'gzip' }],
  [413, { 'content-length': '1001' }],
  [431, Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, 'y']))],
] as const)('%i is answered before the body is read', async (status, headers) => {
  expect(await ask({ method: 'POST', headers })).toMatchObject({ status });
});

// Without it a client behind a proxy would find no route, or an invalid target would be a 500.
test.each([
  ['http://other.example/requests/?limit=1', 200, '/requests/ limit=1'],
  ['/requests/?limit=1', 200, '/requests/ limit=1'],
  ['http://a:b/', 400, 'bad_request'],
])('the target %s is answered %i', async (path, status, body) => {
  expect(await ask({ path })).toEqual({ status, body: expect.stringContaining(body) });
});

// Without it an answer with a patient's data could be kept, sniffed or framed.
test('every answer has the security headers, unless what answers says otherwise', async () => {
  const url = await aKoaServer((koa) => {
    if (koa.path === '/script.js') koa.set('Cache-Control', 'public, max-age=3600');
    koa.body = 'done';
  });
  const { headers } = await fetch(url);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect((await fetch(`${url}/script.js`)).headers.get('cache-control')).toBe('public, max-age=3600');
});

// A value with a line break would let its sender add headers.
test('a value that HTTP forbids is not sent, and the call gets a 500', async () => {
  const url = await aKoaServer((koa) => {
    koa.set('x-name', 'one\r\nset-cookie: a=1');
    koa.body = 'done';
  });
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('x-name'), answer.headers.getSetCookie()]).toEqual([
    500,
    null,
    [],
  ]);
});
