import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Log } from '../telemetry/log.ts';
import { answerClientError } from './answer-errors.ts';

/** Milliseconds in which a body has to come; for the rows of a batch, the next bytes of it. */
const BODY_MS = 30_000;

/** Of the bodies that are still coming. */
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends a connection whose body does not come in time. Node's own limit, `requestTimeout`, holds for every request of a
 * server, from its first byte to its last: 64 MiB of rows would have to come within 30 seconds.
 */
export function limitBodyTime(log: Log): Middleware {
  return (koa, next) => {
    const { req, res } = koa;
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
    if ((length === undefined || length === '0') && coding === undefined) return next();
    const timer = setTimeout(() => {
      if (req.complete) return;
      const err = Object.assign(new Error('The body did not come in time.'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      answerClientError(err, req.socket, log);
    }, BODY_MS);
    timers.set(req, timer);
    req.once('close', () => clearTimeout(timer));
    // A body that was read in one piece emits no `close`; one that is still coming keeps its timer.
    res.once('close', () => {
      if (req.complete) clearTimeout(timer);
    });
    return next();
  };
}

/** Gives a body that still comes its whole time again. */
export function extendBodyTime(req: IncomingMessage): void {
  timers.get(req)?.refresh();
}
