import { type AnyRouter, TRPCError } from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import type { ParameterizedContext } from 'koa';
import * as z from 'zod';
import { allowBody } from '../body/body-memory.ts';
import { readJsonBody } from '../body/read-body.ts';
import { isConsoleCall } from '../console/session/console-cookie.ts';
import type { CallState } from '../procedure/context/app.ts';
import { objectOutline, type Outline } from '../procedure/outline.ts';
import { ProblemError, type PublicError, toPublicError, toTrpcError } from '../procedure/problem.ts';
import type { TrpcMeta } from '../procedure/trpc.ts';
import type { ApiRouter } from '../router.ts';

/** Calls in one batch: as many as a process has database connections. */
const BATCH_COUNT_MAX = 20;

/** The router, and the prefix of its procedures: for keys, or for the console's sessions. */
export interface TrpcEndpoint {
  readonly router: ApiRouter;
  readonly prefix: '/trpc/' | '/console/api/';
}

/** Finds the endpoint of a target, a path with or without a query; null for any other. */
export type FindTrpcEndpoint = (target: string) => TrpcEndpoint | null;

/** @param router null where no procedures are served. */
export function createTrpcEndpoints(router: ApiRouter | null, hasConsole: boolean): FindTrpcEndpoint {
  if (!router) return () => null;
  const keys: TrpcEndpoint = { router, prefix: '/trpc/' };
  const sessions: TrpcEndpoint = { router, prefix: '/console/api/' };
  return (target) => {
    if (target.startsWith(keys.prefix)) return keys;
    return hasConsole && isConsoleCall(target) ? sessions : null;
  };
}

type EndpointContext = ParameterizedContext<CallState>;

/**
 * The tRPC transport on Koa. tRPC's own adapter for Node reads bodies differently: it accepts invalid UTF-8, gives no
 * position in broken JSON, knows only one content type, and fails on TRACE. So only its core is called, with REST's
 * reader. A call refused before it reached a procedure is passed as `refusal`, to be answered in tRPC's shape too.
 */
export async function answerTrpc(
  koa: EndpointContext,
  { router, prefix }: TrpcEndpoint,
  refusal?: PublicError,
): Promise<void> {
  const path = koa.path.slice(prefix.length);
  const { context } = koa.state;
  const { call } = context;
  const isKnown = Object.hasOwn(router._def.procedures, path);
  koa.state.operation = isKnown ? path : 'trpc.unknown';
  const answersMethod = koa.method === 'GET' || koa.method === 'POST';
  const response = await resolveResponse<AnyRouter>({
    router,
    path,
    req: new CallRequest(koa, () => outlineOfBody(router, path, isBatch(koa))),
    error: refusal
      ? toTrpcError(refusal)
      : isKnown && !answersMethod
        ? new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
        : null,
    maxBatchSize: BATCH_COUNT_MAX,
    createContext: async ({ info }) => {
      if (info.isBatchCall && call.idempotencyKey !== undefined) {
        throw toTrpcError(new ProblemError('idempotency_key_on_batch'));
      }
      if (info.isBatchCall && (call.serviceDate ?? call.neededBy ?? call.gender) !== undefined)
        throw toTrpcError(new ProblemError('header_on_batch'));
      return context;
    },
    onError: ({ error, type }) => {
      const err = toPublicError(error);
      call.failed(err);
      if (error.code === 'METHOD_NOT_SUPPORTED') call.setHeader('allow', type === 'query' ? 'GET' : 'POST');
      if (err instanceof ProblemError)
        for (const [name, value] of Object.entries(err.headers)) call.setHeader(name, value);
    },
  });
  koa.status = response.status;
  koa.type = 'application/json';
  koa.body = await response.text();
}

function isBatch({ search }: EndpointContext): boolean {
  return new URLSearchParams(search).get('batch') === '1';
}

/** A batch's body is an object of its calls' inputs, by index. Whatever no known procedure takes is left out. */
function outlineOfBody(router: ApiRouter, path: string, isBatchCall: boolean): Outline {
  const procedures: AnyRouter['_def']['procedures'] = router._def.procedures;
  const shapeOf = (name: string): z.core.$ZodShape => {
    const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
    return (procedure?._def.meta as TrpcMeta | undefined)?.procedure.operation.input?.shape ?? {};
  };
  if (!isBatchCall) return objectOutline(shapeOf(path));
  const inputs = path.split(',').map((name, index) => [index, z.object(shapeOf(name)).optional()] as const);
  return objectOutline(Object.fromEntries(inputs));
}

/** The protocol's query parameters. `connectionParams`, which tRPC would parse too, is for transports we lack. */
const QUERY_NAMES = ['batch', 'input'];

/** The part of a web request that tRPC's core uses: the query, and the body through `json()`. */
class CallRequest extends Request {
  readonly #readBody: () => Promise<unknown>;

  constructor({ method, search, req, state }: EndpointContext, outline: () => Outline) {
    const query = [...new URLSearchParams(search)].filter(([name]) => QUERY_NAMES.includes(name));
    super(`http://localhost/?${new URLSearchParams(query).toString()}`, {
      method: method === 'GET' ? 'GET' : 'POST', // the constructor rejects some others, which get a 405 anyway
      headers: { 'content-type': 'application/json' }, // the reader checks the type that was sent
    });
    this.#readBody = () => readJsonBody(req, allowBody(state.context), outline);
  }

  override json = (): Promise<unknown> => this.#readBody();
}
