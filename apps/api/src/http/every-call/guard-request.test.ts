import { request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { aKoaServer, anApp } from '../../../test/a-koa-server.ts';
import { answerErrors } from './answer-errors.ts';
import { guardRequest } from './guard-request.ts';
import { openCall } from './open-call.ts';

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
