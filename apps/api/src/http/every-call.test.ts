import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aKoaServer, anApp } from '../../test/a-koa-server.ts';
import { BodyAllowance } from '../procedure/context/call.ts';
import { endConnection, openCall, settleCall } from './every-call.ts';

// Without it the log line of a failed call could not be found.
test('each call has a trace of its own, which its client gets', async () => {
  const traces: string[] = [];
  const { app } = anApp();
  const url = await aKoaServer(openCall(app), (koa) => {
    traces.push(koa.state.context.call.trace);
    expect(koa.state.operation).toBe('unknown');
    koa.body = 'done';
  });
  const ids = [await fetch(url), await fetch(url)].map(({ headers }) => headers.get('request-id'));
  expect(ids).toEqual(traces);
  expect(new Set(traces).size).toBe(2);
});

// Without it a call would leave no line, or the room of its body would be lost until the process starts again.
test('a call whose answer is sent leaves its line, and its body’s room is given back', async () => {
  const { app, lines } = anApp();
  let heldBytes = 0;
  const room = {
    take: (_: unknown, byteCount: number) => ((heldBytes += byteCount), true),
    waitFor: async () => false,
    giveBack: (_: unknown, byteCount: number) => void (heldBytes -= byteCount),
  };
  const url = await aKoaServer(settleCall(app), openCall(app), (koa) => {
    const { call } = koa.state.context;
    call.bodyAllowance = new BodyAllowance(room, { id: 'acct_1', isAnonymous: false }, 100);
    call.bodyAllowance.take(40);
    koa.state.operation = 'requests.get';
    koa.body = String(heldBytes);
  });
  const res = await fetch(url);
  expect(await res.text()).toBe('40');
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({
    operation: 'requests.get',
    status: 200,
    trace: res.headers.get('request-id'),
  });
  expect(heldBytes).toBe(0);
});

// Without it a call that did its work after its client had gone would leave no line.
test('a call whose client has gone leaves its line when its work is done', async () => {
  const { app, lines } = anApp();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const url = await aKoaServer(settleCall(app), openCall(app), async (koa) => {
    const { gone } = koa.state.context.call;
    begin();
    await once(gone, 'abort');
    expect(lines).toEqual([]);
    koa.state.context.call.concerns('req_1');
    koa.body = 'too late';
  });
  const sent = request(url);
  sent.on('error', () => undefined);
  sent.end();
  await begun;
  sent.destroy();
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({ request_id: 'req_1' });
});

// Without it a drain would wait for idle clients in vain, until its time is up.
test('once the port is closed each answer ends its connection', async () => {
  let isOpen = true;
  const url = await aKoaServer(
    endConnection(() => isOpen),
    (koa) => void (koa.body = 'done'),
  );
  expect((await fetch(url)).headers.get('connection')).toBe('keep-alive');
  isOpen = false;
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

const BODY_BYTES = 1_000_000;

async function post(url: string, agent: Agent) {
  const req = request(url, { method: 'POST', agent, headers: { 'content-length': BODY_BYTES } });
  req.end(Buffer.alloc(BODY_BYTES));
  const [answer] = (await once(req, 'response')) as [IncomingMessage];
  return { body: await text(answer), isReused: req.reusedSocket };
}

// Broke: of strangers' bodies that were refused unread, 100 MB waited for the garbage collector.
test.each([
  ['goes on', 'keep-alive', true],
  ['ends', 'close', false],
])('an unread body is freed as it comes, on a connection that %s', async (_, connection, goesOn) => {
  const taken: { readonly chunk: Buffer; readonly byteCount: number }[] = [];
  const url = await aKoaServer(
    ({ req }, next) => {
      const push = req.push.bind(req);
      req.push = (chunk: Buffer | null) => {
        if (chunk) taken.push({ chunk, byteCount: chunk.length });
        return push(chunk);
      };
      return next();
    },
    endConnection(() => true),
    (koa) => {
      koa.set('connection', connection);
      koa.body = 'refused';
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await post(url, agent)).toEqual({ body: 'refused', isReused: false });
  expect(await post(url, agent)).toEqual({ body: 'refused', isReused: goesOn });
  await until(
    'both bodies have come',
    () => taken.reduce((sum, { byteCount }) => sum + byteCount, 0) === 2 * BODY_BYTES,
  );
  const large = taken.filter(({ byteCount }) => byteCount >= 16_384);
  expect(large.length).toBeGreaterThan(10);
  await until('their memory is free', () => large.every(({ chunk }) => chunk.length === 0));
});
