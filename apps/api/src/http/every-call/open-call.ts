import type { Middleware } from 'koa';
import { isHttps } from '../../network/own-pages.ts';
import type { App } from '../../procedure/context/app.ts';
import { Call } from '../../procedure/context/call/call.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { STRICT_TRANSPORT_SECURITY } from '../security-headers.ts';

/** Creates the call that handlers, the log and the metrics use, and sends the client its id. What came over TLS is asked to come so again. */
export function openCall(app: App): Middleware<CallState> {
  const isOverTls = isHttps(app.config.publicUrl);
  return async (koa, next) => {
    const call = new Call(app, koa.req, koa.res);
    koa.state.context = { app, call };
    koa.state.operation = 'unknown';
    koa.res.setHeader('request-id', call.trace);
    if (isOverTls || koa.req.headers['x-forwarded-proto'] === 'https')
      koa.res.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
    await next();
  };
}
