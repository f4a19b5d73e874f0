import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { expect, test } from 'vitest';
import { anEnvironment, aProcess } from '../process/a-process.ts';
import { send } from '../send.ts';
import { aCollector } from './a-collector.ts';

const REFUSING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    if (name.startsWith('@opentelemetry/')) throw new Error('loads ' + name);
    return next(name, context);
  } });`)}`;

const [node, ...args] = SERVICE_COMMAND;
const refusing = [node, '--import', REFUSING, ...args] as const;

test('without a collector nothing of OpenTelemetry is loaded', async () => {
  const service = aProcess(refusing, { env: await anEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  expect((await send('GET', `${await service.url()}/readyz`)).status).toBe(200);
});

// Proves that the check can fail.
test('with one it is', async () => {
  const { url } = await aCollector();
  const env = { ...(await anEnvironment()), OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const service = aProcess(refusing, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  expect(await service.ended()).toBe('exit 1');
  expect(service.output()).toContain('loads @opentelemetry/');
});
