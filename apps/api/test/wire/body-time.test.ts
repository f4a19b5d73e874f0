import { Agent, request } from 'node:http';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { BOOTSTRAP_KEY, useService } from '../a-service.ts';

// Slow: the 30 s in which a body has to come are real ones.

const service = useService();

/** One call on a connection that stays open. */
function call(agent: Agent, method: string, path: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-key': BOOTSTRAP_KEY, 'content-type': 'application/json' };
    const req = request(`${service.url}${path}`, { agent, method, headers }, (res) => {
      res.resume().once('end', () => resolve(res.statusCode ?? 0));
    });
    req.once('error', reject);
    req.end(body);
  });
}

// Broke: the timer of a body that had come long ago ended its connection, and with it a later call.
test('a connection is used for longer than a body may take', { timeout: 60_000 }, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const until = performance.now() + 32_000;
  let count = 0;
  while (performance.now() < until) {
    expect(await call(agent, 'POST', '/requests/', JSON.stringify(aRequest()))).toBe(200);
    expect(await call(agent, 'GET', '/requests/')).toBe(200);
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  expect(count).toBeGreaterThan(1);
  agent.destroy();
});
