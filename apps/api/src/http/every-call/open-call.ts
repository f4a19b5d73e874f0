import type { Middleware } from 'koa';
import type { App } from '../../procedure/context/app.ts';
import { Call } from '../../procedure/context/call.ts';
import type { RestState } from '../rest/rest.ts';

/** Makes the call that handlers, the log and the metrics know, and names it to the client. */
export function openCall(app: App): Middleware<RestState> {
  return (koa, next) => {
    const call = new Call(app, koa.req, koa.res);
    koa.state.context = { app, call };
    koa.state.operation = 'unknown';
    koa.res.setHeader('request-id', call.trace);
    return next();
  };
}
