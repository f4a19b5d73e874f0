import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSchemas } from '@insurance-verification/schema';
import type { App } from './app.ts';
import { openApiText } from './openapi.ts';
import { createRouter } from './router.ts';
import { createHttpServer } from './server.ts';

export interface HttpOptions {
  readonly app: App;
  readonly port: number;
  /** False while the process drains. */
  readonly isReady: () => boolean;
}

/** Serves the API when this process has the http role, and probes and metrics in any. */
export async function startHttp({ app, port: wantedPort, isReady }: HttpOptions) {
  const { host, payers, roles } = app.config;
  const schemas = createSchemas({ payers: payers.names });
  const router = createRouter(schemas);
  const api = roles.includes('http') ? { router, openApiDocument: openApiText(router, schemas) } : null;
  const server = createHttpServer({ app, api, isReady });
  server.listen(wantedPort, host);
  await once(server, 'listening'); // throws what `error` brings
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    stop: (deadlineMs: number) =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), deadlineMs).unref();
      }),
  };
}
