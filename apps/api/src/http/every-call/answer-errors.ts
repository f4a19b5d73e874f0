import { PROBLEMS } from '@insurance-verification/schema';
import type { Middleware, ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { problemBody, ProblemError, toPublicError } from '../../procedure/problem/problem.ts';
import { answerTrpc, type FindTrpcDoor } from '../trpc-door.ts';

/** Answers whatever is thrown below it, behind tRPC's door in tRPC's shape. */
export function answerErrors(trpcDoorOf: FindTrpcDoor): Middleware<CallState> {
  return async (koa, next) => {
    try {
      await next();
    } catch (err) {
      const trpcDoor = trpcDoorOf(koa.url);
      if (trpcDoor) await answerTrpc(koa, trpcDoor, toPublicError(err));
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
