import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { SERVICE_COMMAND, startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { onTestFinished, test, expect } from 'vitest';
import { send } from '../send.ts';

async function aProductionProcess() {
  const service = await startServiceProcess({
    command: SERVICE_COMMAND,
    databaseUrl: (await createTestDatabase()).connectionString,
    env: { NODE_ENV: 'production', PAYERS: '["A","B","C","D"]' },
  });
  onTestFinished(() => service.kill());
  /** The status of a call over a connection of its own; null where none is taken. */
  const statusOf = (path: string) =>
    send('GET', service.url + path).then(
      ({ status }) => status,
      () => null,
    );
  return { service, statusOf };
}

// Breaks if a proxy sends calls to a port that closes, or on a connection that does: each would be a failed call.
test('in production a SIGTERM shows at /readyz before the port closes, and a kept connection ends with an answer', async () => {
  const { service, statusOf } = await aProductionProcess();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const callOnKept = async () => {
    const call = request(`${service.url}/livez`, { agent }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return [answer.statusCode, answer.headers.connection, call.reusedSocket];
  };
  expect(await callOnKept()).toEqual([200, 'keep-alive', false]);

  service.signal('SIGTERM');
  await until('it is not ready', async () => (await statusOf('/readyz')) === 503);
  expect(await statusOf('/livez')).toBe(200);
  expect(await callOnKept()).toEqual([200, 'keep-alive', true]);
  await until('its port is closed', async () => (await statusOf('/livez')) === null);
  expect(await callOnKept()).toEqual([200, 'close', true]);
  expect(await service.whenEnded).toBe('exit 0');
});

// Breaks if a person who ends it waits for a proxy that is not there.
test('a Ctrl-C closes the port at once', async () => {
  const { service, statusOf } = await aProductionProcess();
  service.signal('SIGINT');
  const seen: (number | null)[] = [];
  await until('its port is closed', async () => {
    const status = await statusOf('/readyz');
    seen.push(status);
    return status === null;
  });
  // A connection that was taken in before is answered.
  expect(seen.filter((status) => status === 503).length).toBeLessThanOrEqual(1);
  expect(await service.whenEnded).toBe('exit 0');
});
