import type { Middleware } from 'koa';
import type { App } from '../../procedure/context/app.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { beginSpan } from '../../telemetry/begin-span.ts';
import { logCall } from './log-call.ts';
import { traceCall } from './trace-call.ts';

/**
 * Settles each call when its answer is sent or its client gone: releases its body's memory, writes its line and trace.
 */
export function settleCall(app: App): Middleware<CallState> {
  return async (koa, next) => {
    const span = beginSpan();
    const settle = () => {
      koa.state.context.call.bodyAllowance?.release();
      const ended = span();
      // No answer went out where the client hung up before: nginx's status for it.
      const status = koa.res.headersSent ? koa.res.statusCode : 499;
      logCall(app, koa.state, { status, durationMs: ended.durationMs });
      const { method, headers } = koa;
      traceCall(app, koa.state, { ...ended, status, method, headers });
    };
    await next();
    // If the client disconnected, the response is closed already, but the call did its work.
    if (koa.res.closed) settle();
    else koa.res.once('close', settle);
  };
}
