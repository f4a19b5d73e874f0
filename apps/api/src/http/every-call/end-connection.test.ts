import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { aKoaServer } from '../../../test/a-koa-server.ts';
import { endConnection } from './end-connection.ts';

// Without it a drain would wait for idle clients in vain, until its time is up.
test('while the process drains each answer ends its connection', async () => {
  let isReady = true;
  const url = await aKoaServer(
    endConnection(() => isReady),
    (koa) => void (koa.body = 'done'),
  );
  expect((await fetch(url)).headers.get('connection')).toBe('keep-alive');
  isReady = false;
  expect((await fetch(url)).headers.get('connection')).toBe('close');
});

// Without it a client that is still sending would see a reset instead of its answer.
test('a client that is still sending gets the whole answer of a connection that ends', async () => {
  const url = await aKoaServer(
    endConnection(() => true),
    (koa) => {
      koa.set('connection', 'close');
      koa.body = '{"code":"payload_too_large"}';
      koa.type = 'application/problem+json';
    },
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n');
  await expect.poll(() => answer).toContain('payload_too_large');
  socket.end(Buffer.alloc(2_000_000));
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('Content-Type: application/problem+json');
  expect(answer).toContain('Content-Length: 28');
});
