import { PROBLEMS } from '@insurance-verification/schema';
import type { Middleware, ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { problemBody, ProblemError, toPublicError } from '../../procedure/problem/problem.ts';
import { answerTrpc, type FindTrpcEndpoint } from '../trpc-endpoint.ts';

/** Answers whatever is thrown below it, and calls of tRPC in its shape. */
export function answerErrors(trpcEndpointOf: FindTrpcEndpoint): Middleware<CallState> {
  return async (koa, next) => {
    try {
      await next();
    } catch (err) {
      const trpcEndpoint = trpcEndpointOf(koa.url);
      if (trpcEndpoint) await answerTrpc(koa, trpcEndpoint, toPublicError(err));
      else answerError(koa, err);
    }
  };
}

/** Sends an error: a 422 as `{ detail }` and nothing else, any other as problem+json. */
function answerError(koa: ParameterizedContext<CallState>, thrown: unknown): void {
  const err = toPublicError(thrown);
  koa.state.context.call.failed(err);
  if (!(err instanceof ProblemError)) {
    koa.status = 422;
    koa.type = 'application/json';
    koa.body = JSON.stringify({ detail: err.detail });
    return;
  }
  const { status } = PROBLEMS[err.code];
  koa.status = status;
  koa.set(err.headers);
  koa.type = 'application/problem+json';
  koa.body = JSON.stringify(problemBody(err, koa.state.context.call.trace));
}
