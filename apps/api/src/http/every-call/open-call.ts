import type { Middleware } from 'koa';
import type { App } from '../../procedure/context/app.ts';
import { Call } from '../../procedure/context/call/call.ts';
import type { CallState } from '../../procedure/context/context.ts';

/** Creates the call that handlers, the log and the metrics use, and sends the client its id. */
export function openCall(app: App): Middleware<CallState> {
  return async (koa, next) => {
    const call = new Call(app, koa.req, koa.res);
    koa.state.context = { app, call };
    koa.state.operation = 'unknown';
    koa.res.setHeader('request-id', call.trace);
    await next();
  };
}
