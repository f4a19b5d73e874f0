import type { Middleware, ParameterizedContext } from 'koa';
import { discard } from '../../body/discard.ts';
import { isWaiting } from '../../body/expectation.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { lingering } from '../linger.ts';

/**
 * Ends the connection with the answer where it must not be reused, without losing the answer; where it goes on, frees
 * what still comes of a body that nobody reads.
 */
export function endConnection(isOpen: () => boolean): Middleware<CallState> {
  return async (koa, next) => {
    await next();
    // Node would keep connections of finished calls open, and a drain would wait for them in vain.
    if (!isOpen() || isWaiting(koa.req)) koa.set('connection', 'close');
    if (koa.req.complete) return;
    if (koa.response.get('connection') === 'close' && typeof koa.body === 'string') lingerOn(koa, koa.body);
    // Node would read and drop it all the same, but as garbage: 100 MB of it in a flood.
    else koa.req.on('data', discard);
  };
}

/** Lets the client read the answer before the connection closes while it is still sending. */
function lingerOn(koa: ParameterizedContext<CallState>, answer: string): void {
  const { type, length } = koa;
  koa.body = lingering(answer, koa.req);
  koa.type = type;
  if (length !== undefined) koa.length = length;
}
