import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import { answerError } from './answer-error.ts';
import { answerClientError } from './answer-client-error.ts';
import type { Config } from './config.ts';
import { type Call, createCall } from './create-context.ts';
import { createDocsRouter } from './docs.ts';
import { createOperationsRouter, type OperationsOptions } from './operations.ts';
import { guardRequest } from './guard-request.ts';
import { logCall } from './log-call.ts';
import { ProblemError } from './problem.ts';
import { createRestRouter, methodNotAllowed, type RestState } from './rest.ts';
import type { ApiRouter } from './router.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { Services } from './services.ts';
import { answerTrpc, isTrpcPath } from './trpc-door.ts';

export interface ServerOptions extends Services, OperationsOptions {
  readonly config: Config;
  readonly api: ApiRouter;
  /** The text that `/openapi.json` answers. */
  readonly openApiDocument: string;
}

/** The HTTP role: every request passes these lines from top to bottom. */
export function createHttpServer(options: ServerOptions): Server {
  const { config, api } = options;
  const base = pickBase(options);
  const app = new Koa<RestState>();
  const rest = createRestRouter(api, config);
  const operations = createOperationsRouter(options);
  const docs = createDocsRouter(options.openApiDocument);
  const routers = [rest, operations, docs];

  app.use(async (koa, next) => {
    const startedAt = performance.now();
    const call: Call = createCall(base, koa.req, (name, value) => koa.res.headersSent || koa.set(name, value));
    koa.state.call = call.context;
    koa.state.operation = 'unknown';
    setSecurityHeaders(koa.res);
    try {
      guardRequest(koa.req, config.bodyBytesMax);
      await next();
    } catch (err) {
      call.record.err = answerError(koa, err);
    }
    koa.res.once('close', () => logCall(options, koa, call.record, performance.now() - startedAt));
  });
  app.use(async (koa, next) => (isTrpcPath(koa.path) ? answerTrpc(koa, api, config.bodyBytesMax) : next()));
  for (const router of routers) app.use(router.routes());
  app.use((koa) => {
    const methods = routers.flatMap((router) => router.match(koa.path, koa.method).path.flatMap((layer) => layer.methods));
    throw methods.length > 0 ? methodNotAllowed([...new Set(methods)]) : new ProblemError('not_found');
  });
  // Answers are written by the first middleware; what reaches Koa itself is a client that went away.
  app.on('error', () => undefined);

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 }, app.callback());
  server.on('clientError', answerClientError);
  return server;
}

function pickBase({ store, config, authenticator, insertRequest, runningIdempotencyKeys, wakeDelivery, metrics, log }: ServerOptions) {
  return { store, config, authenticator, insertRequest, runningIdempotencyKeys, wakeDelivery, metrics, log };
}
