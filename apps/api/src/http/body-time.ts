import type { Middleware } from 'koa';
import { noteBodyTime } from '../body/read-upload.ts';
import type { Log } from '../telemetry/log.ts';
import { answerClientError } from './answer-errors.ts';

/** Milliseconds in which a body has to come. The file of a batch has a time of its own: see `readUpload`. */
const BODY_MS = 30_000;

/**
 * Ends a connection whose body does not come in time. Node's own limit, `requestTimeout`, holds for every request of a
 * server, from its first byte to its last: 64 MiB of rows would have to come within 30 seconds.
 */
export function limitBodyTime(log: Log): Middleware {
  return (koa, next) => {
    const { req, res } = koa;
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
    if ((length === undefined || length === '0') && coding === undefined) return next();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    const start = () => {
      stop();
      timer = setTimeout(() => {
        if (req.complete) return;
        const err = Object.assign(new Error('The body did not come in time.'), {
          code: 'ERR_HTTP_REQUEST_TIMEOUT',
        });
        answerClientError(err, req.socket, log);
      }, BODY_MS);
    };
    start();
    noteBodyTime(req, { start, stop });
    req.once('close', stop);
    // A body that was read in one piece emits no `close`; one that is still coming keeps its timer.
    res.once('close', () => {
      if (req.complete) stop();
    });
    return next();
  };
}
