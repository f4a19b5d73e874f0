import type { AnyRouter } from '@trpc/server';
import { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { ParameterizedContext } from 'koa';
import { ProblemError } from './problem.ts';
import type { RestState } from './rest.ts';
import type { ApiRouter } from './router.ts';

const PREFIX = '/trpc/';

/** Whether a path is tRPC's. */
export function isTrpcPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** The tRPC door on Koa: the adapter writes to Node's response itself. */
export async function answerTrpc(koa: ParameterizedContext<RestState>, router: ApiRouter, bodyBytesMax: number): Promise<void> {
  const path = koa.path.slice(PREFIX.length);
  const { call } = koa.state;
  koa.state.operation = path in router._def.procedures ? path : 'trpc.unknown';
  // Koa's preset 404 would otherwise survive a successful call.
  koa.res.statusCode = 200;
  koa.respond = false;
  await nodeHTTPRequestHandler<AnyRouter, typeof koa.req, typeof koa.res>({
    router,
    req: koa.req,
    res: koa.res,
    path,
    maxBodySize: bodyBytesMax,
    createContext: async ({ info }) => {
      if (info.isBatchCall && call.idempotencyKey !== undefined) {
        const cause = new ProblemError('idempotency_key_on_batch');
        throw new TRPCError({ code: 'BAD_REQUEST', message: cause.message, cause });
      }
      return call;
    },
    onError: ({ error }) => {
      if (error.cause instanceof ProblemError) for (const [name, value] of Object.entries(error.cause.headers)) call.setHeader(name, value);
    },
  });
}
