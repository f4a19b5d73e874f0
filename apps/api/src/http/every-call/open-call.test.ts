import { expect, test } from 'vitest';
import { aKoaServer, anApp } from '../../../test/a-koa-server.ts';
import { openCall } from './open-call.ts';

// Without it nobody could find the line of a call that went wrong.
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
