import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ProblemError } from '../../procedure/problem/problem.ts';

/** Far more than any client or proxy sends. Node would drop what is past its own limit of 2,000 without a word. */
const HEADER_COUNT_MAX = 100;

/**
 * Refuses what can be refused from the first line and the headers alone, before a route is chosen, and leaves paths alone
 * to routes. Each refusal closes the connection: what follows on it is a body that nobody will read, or cannot be told
 * from one.
 */
export function guardRequest(bodyBytesMax: number): Middleware {
  return (koa, next) => {
    refuseUnreadable(koa.req, bodyBytesMax);
    koa.url = originForm(koa.url);
    return next();
  };
}

/** @throws {ProblemError} */
function refuseUnreadable(req: IncomingMessage, bodyBytesMax: number): void {
  const { headers } = req;
  if (req.rawHeaders.length / 2 > HEADER_COUNT_MAX) throw new ProblemError('header_too_large', close);
  // Node's own check of the host answers without a body, so it is switched off and done here (RFC 9112, 3.2).
  const hostCount = countHosts(req.rawHeaders);
  if (hostCount > 1 || (hostCount === 0 && req.httpVersion === '1.1'))
    throw new ProblemError('bad_request', close);
  // A body in another transfer coding would be read as if it were plain.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new ProblemError('bad_request', close);
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_content_encoding', {
      headers: { 'accept-encoding': 'identity', ...close.headers },
    });
  }
  if (Number(headers['content-length'] ?? 0) > bodyBytesMax)
    throw new ProblemError('payload_too_large', close);
}

/** Of names and values by turns. `headersDistinct` would make a list of every header to tell it: 1 µs more. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

const close = { headers: { connection: 'close' } };

/**
 * The target without scheme and host, which a client may send as to a proxy (RFC 9112, 3.2.2): routes, and Node's older
 * parser that Koa reads it with, then see paths alone.
 * @throws {ProblemError} `bad_request` for an address that is none.
 */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  if (!url) throw new ProblemError('bad_request', close);
  return `${url.pathname}${url.search}`;
}
