import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { aKoaServer, anApp } from '../../../test/a-koa-server.ts';
import { BodyAllowance } from '../../procedure/context/call/body-allowance.ts';
import { openCall } from './open-call.ts';
import { settleCall } from './settle-call.ts';

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
    call.bodyAllowance = new BodyAllowance(room, { id: 'acct_1', isStranger: false }, 100);
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
