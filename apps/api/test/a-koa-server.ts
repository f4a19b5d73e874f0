import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import { onTestFinished } from 'vitest';
import { Answer } from '../src/http/guard-request.ts';
import type { App, CallState } from '../src/procedure/context/app.ts';
import { createLog } from '../src/telemetry/log.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

/** The part of the app that a call needs before it reaches a procedure, and its log lines. */
export function anApp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const known = {
    log,
    metrics: createMetrics(log),
    tracing: undefined,
    trustedProxies: { includes: () => false },
    config: { publicUrl: undefined },
  };
  return { app: known as unknown as App, lines };
}

/** A server with only these middlewares, until the test ends. @returns its URL. */
export async function aKoaServer(...middleware: readonly Middleware<CallState>[]): Promise<string> {
  const koaApp = new Koa<CallState>();
  for (const line of middleware) koaApp.use(line);
  koaApp.on('error', () => undefined);
  const server = createServer({ requireHostHeader: false, ServerResponse: Answer }, koaApp.callback());
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
