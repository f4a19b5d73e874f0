import type { Middleware, ParameterizedContext } from 'koa';
import { lingering } from '../linger.ts';
import type { RestState } from '../rest/rest.ts';

/** Ends the connection with the answer where it must not be used again, without taking the answer from its client. */
export function endConnection(isReady: () => boolean): Middleware<RestState> {
  return (koa, next) => {
    const end = () => {
      // Node would keep the connection of what ends during a drain open, and the drain would wait for it in vain.
      if (!isReady()) koa.set('connection', 'close');
      if (koa.response.get('connection') === 'close' && !koa.req.complete && typeof koa.body === 'string')
        lingerOn(koa, koa.body);
    };
    return next().then(end);
  };
}

/** Lets the client read the answer before the connection closes under what it is sending. */
function lingerOn(koa: ParameterizedContext<RestState>, answer: string): void {
  const { type, length } = koa;
  koa.body = lingering(answer, koa.req);
  koa.type = type;
  if (length !== undefined) koa.length = length;
}
