import { createServer, type Server } from 'node:http';
import Koa, { type ParameterizedContext } from 'koa';
import type { App } from '../procedure/context/app.ts';
import { Call } from '../procedure/context/call.ts';
import { ProblemError, toPublicError } from '../procedure/problem/problem.ts';
import type { ApiRouter } from '../router.ts';
import { answerClientError, refuseConnection } from './answer-client-error.ts';
import { answerError } from './answer-error.ts';
import { createConsoleRouter } from './console/create-console-router.ts';
import { isConsoleCall, speakForSession } from './console/speak-for-session.ts';
import { guardRequest, originForm } from './guard-request.ts';
import { lingering } from './linger.ts';
import { logCall } from './log-call.ts';
import { createLandingRouter } from './pages/create-landing-router.ts';
import { createDocsRouter } from './pages/docs.ts';
import { createMetricsRouter } from './probes/metrics-router.ts';
import { createProbesRouter } from './probes/probes.ts';
import { createProblemPagesRouter } from './problem-pages/create-problem-pages-router.ts';
import { createRestRouter, methodNotAllowed, type RestState } from './rest/rest.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { traceCall } from './trace-call.ts';
import { answerTrpc, type TrpcDoor } from './trpc-door.ts';

export interface ServerOptions {
  readonly app: App;
  /** `metrics`: `/metrics` and nothing else, on a port of its own. */
  readonly door: 'main' | 'metrics';
  /** Null in a process without the http role, which answers its probes and metrics alone, and at the metrics door. */
  readonly api: {
    readonly router: ApiRouter;
    /** The text that `/openapi.json` answers. */
    readonly openApiDocument: string;
  } | null;
  /** False while the process drains: `/readyz` then answers 503. */
  readonly isReady: () => boolean;
}

/** The HTTP server: every request passes these lines from top to bottom. */
export function createHttpServer({ app, door, api, isReady }: ServerOptions): Server {
  const { bodyBytesMax } = app.config;
  const koaApp = new Koa<RestState>();
  /** The door of tRPC that a target, a path with or without a query, is at; null for any other. */
  const trpcDoorOf = (target: string): TrpcDoor | null => {
    if (!api) return null;
    if (target.startsWith('/trpc/')) return { router: api.router, prefix: '/trpc/' };
    return app.config.hasConsole && isConsoleCall(target)
      ? { router: api.router, prefix: '/console/api/' }
      : null;
  };
  const routers = [
    ...(api
      ? [
          createRestRouter(api.router),
          createDocsRouter(api.openApiDocument),
          createLandingRouter(),
          createProblemPagesRouter(),
          ...(app.config.hasConsole ? [createConsoleRouter()] : []),
        ]
      : []),
    ...(door === 'main' ? [createProbesRouter({ ...app, isReady })] : []),
    ...(door === 'metrics' || app.config.metricsAtPort ? [createMetricsRouter(app)] : []),
  ];

  koaApp.use(async (koa, next) => {
    const startedAt = performance.now();
    const call = new Call(app, koa.req, koa.res);
    koa.state.context = { app, call };
    koa.state.operation = 'unknown';
    setSecurityHeaders(koa.res);
    koa.res.setHeader('request-id', call.trace);
    try {
      guardRequest(koa.req, bodyBytesMax);
      koa.url = originForm(koa.url);
      await next();
    } catch (err) {
      const trpcDoor = trpcDoorOf(koa.url);
      if (trpcDoor) await answerTrpc(koa, trpcDoor, toPublicError(err));
      else answerError(koa, err);
    }
    // Node would keep the connection of what ends during a drain open, and the drain would wait for it in vain.
    if (!isReady()) koa.set('connection', 'close');
    if (koa.response.get('connection') === 'close' && !koa.req.complete && typeof koa.body === 'string')
      lingerOn(koa, koa.body);
    const leaveLine = () => {
      call.bodyAllowance?.release();
      const durationMs = performance.now() - startedAt;
      logCall(app, koa, durationMs);
      traceCall(app, koa, durationMs);
    };
    // A client that went away has closed it already, and its call did its work all the same.
    if (koa.res.closed) leaveLine();
    else koa.res.once('close', leaveLine);
  });
  koaApp.use(async (koa, next) => {
    const trpcDoor = trpcDoorOf(koa.url);
    if (!trpcDoor) return next();
    if (trpcDoor.prefix === '/console/api/') await speakForSession(koa);
    return answerTrpc(koa, trpcDoor);
  });
  for (const router of routers) koaApp.use(router.routes());
  koaApp.use((koa) => {
    const methods = routers.flatMap((router) =>
      router.match(koa.path, koa.method).path.flatMap((layer) => layer.methods),
    );
    throw methods.length > 0 ? methodNotAllowed([...new Set(methods)]) : new ProblemError('not_found');
  });
  // Answers are written by the first middleware; what reaches Koa itself is a client that went away.
  koaApp.on('error', () => undefined);

  const answer = koaApp.callback();
  const server = createServer(limits, answer);
  server.maxHeadersCount = 0; // none is dropped unseen; guardRequest counts them
  server.on('clientError', (err, socket) => answerClientError(err, socket, app.log));
  // Nothing here is a proxy; without a listener Node would close the connection without a word.
  server.on('connect', (_, socket) => refuseConnection(socket, 'bad_request', app.log));
  // An expectation we do not know may be ignored (RFC 9110, 10.1.1); Node's own answer would be a bare 417.
  server.on('checkExpectation', answer);
  return server;
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false, // guardRequest requires it, with a body to its answer
};

/** Lets the client read the answer before the connection closes under what it is sending. */
function lingerOn(koa: ParameterizedContext<RestState>, answer: string): void {
  const { type, length } = koa;
  koa.body = lingering(answer, koa.req);
  koa.type = type;
  if (length !== undefined) koa.length = length;
}
