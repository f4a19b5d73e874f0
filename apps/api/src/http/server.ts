import { createServer, type Server } from 'node:http';
import Koa, { type ParameterizedContext } from 'koa';
import { noteExpectation } from '../body/read-body.ts';
import { createConsoleRouter } from '../console/console-router.ts';
import { speakForSession } from '../console/session/console-cookie.ts';
import type { ConsoleSite } from '../console/site.ts';
import type { Mcp } from '../mcp/serve-mcp.ts';
import type { App, CallState } from '../procedure/context/app.ts';
import { nothingHere } from '../procedure/problem.ts';
import { answerClientError, refuseConnection, answerErrors } from './answer-errors.ts';
import { limitBodyTime } from './body-time.ts';
import { createDemoRouter } from './demo-receiver.ts';
import { endConnection, openCall, settleCall } from './every-call.ts';
import { guardRequest, Answer } from './guard-request.ts';
import { createConsolePagesRouter } from './pages/create-console-pages-router.ts';
import { createDocsRouter, type DocumentedApi, serveGuides } from './pages/docs.ts';
import { createLandingRouter } from './pages/landing-page.ts';
import { createStatusRouter } from './pages/status.ts';
import { createMetricsRouter } from './probes/metrics-router.ts';
import { createProbesRouter } from './probes/probes.ts';
import { createProblemPagesRouter } from './problem-pages.ts';
import { createRestRouter, methodNotAllowed } from './rest.ts';
import { answerTrpc, createTrpcEndpoints, type TrpcEndpoint } from './trpc-endpoint.ts';

export interface ServerOptions {
  readonly app: App;
  /** The pages for people. */
  readonly consoleSite: ConsoleSite;
  /** `metrics`: `/metrics`, and what explains a refusal, on a separate port. */
  readonly listener: 'main' | 'metrics';
  /** Null in a process without the http role, which answers only probes and metrics, and at the metrics listener. */
  readonly api: DocumentedApi | null;
  /** Null where `api` is. */
  readonly mcp: Mcp | null;
  /** False while the process drains: `/readyz` then answers 503. */
  readonly isReady: () => boolean;
  /** False once the port is closed: each answer then ends its connection. */
  readonly isOpen: () => boolean;
}

/** The HTTP server: every request passes these lines from top to bottom. */
export function createHttpServer({
  app,
  consoleSite,
  listener,
  api,
  mcp,
  isReady,
  isOpen,
}: ServerOptions): Server {
  const koaApp = new Koa<CallState>();
  const trpcEndpointOf = createTrpcEndpoints(api && api.router, app.config.hasConsole);
  const routers = [
    ...(api
      ? [
          createRestRouter(api.router, app.config.hasConsole),
          createDocsRouter(api, consoleSite, app),
          createLandingRouter(consoleSite, app.config.hasConsole),
          createStatusRouter(app.store, app.config.payers.all),
          ...(app.config.local ? [createDemoRouter()] : []),
          ...(app.config.hasConsole
            ? [createConsoleRouter(app.config), createConsolePagesRouter(consoleSite)]
            : []),
        ]
      : []),
    createProblemPagesRouter({ hasReference: api !== null }),
    ...(listener === 'main' ? [createProbesRouter({ ...app, isReady })] : []),
    ...(listener === 'metrics' || app.config.metricsAtPort ? [createMetricsRouter(app)] : []),
  ];

  koaApp.use(settleCall(app));
  koaApp.use(openCall(app));
  koaApp.use(limitBodyTime(app.log));
  koaApp.use(endConnection(isOpen));
  koaApp.use(answerErrors(trpcEndpointOf));
  koaApp.use(guardRequest(app.config.bodyBytesMax));
  koaApp.use((koa, next) => {
    const trpcEndpoint = trpcEndpointOf(koa.url);
    return trpcEndpoint ? enterTrpc(koa, trpcEndpoint) : next();
  });
  koaApp.use((koa, next) => (mcp && koa.path === '/mcp' ? mcp.answer(koa) : next()));
  if (api) koaApp.use(serveGuides(consoleSite));
  for (const router of routers) koaApp.use(router.routes());
  koaApp.use((koa) => {
    const methods = routers.flatMap((router) =>
      router.match(koa.path, koa.method).path.flatMap((layer) => layer.methods),
    );
    throw methods.length > 0 ? methodNotAllowed([...new Set(methods)]) : nothingHere();
  });
  // `answerErrors` answers errors; Koa itself only sees clients that went away.
  koaApp.on('error', () => undefined);

  const answer = koaApp.callback();
  const server = createServer({ ...limits, ServerResponse: Answer }, answer);
  server.maxHeadersCount = 0; // never drop any unseen: guardRequest counts them
  server.on('clientError', (err, socket) => answerClientError(err, socket, app.log));
  // Nothing here is a proxy; without a listener Node would silently close the connection.
  server.on('connect', (_, socket) => refuseConnection(socket, 'bad_request', app.log));
  // Node's own answer would be 100 at once: the body is asked for when it is read.
  server.on('checkContinue', (req, res) => {
    noteExpectation(req, res);
    void answer(req, res);
  });
  // An expectation we do not know may be ignored (RFC 9110, 10.1.1); Node's own answer would be a bare 417.
  server.on('checkExpectation', answer);
  return server;
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 0, // limitBodyTime does it: a batch takes longer
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false, // guardRequest requires it, and answers with a body
};

/** Answers a tRPC call; below the console's prefix a session authenticates it. */
async function enterTrpc(koa: ParameterizedContext<CallState>, endpoint: TrpcEndpoint): Promise<void> {
  if (endpoint.prefix === '/console/api/') await speakForSession(koa);
  await answerTrpc(koa, endpoint);
}
