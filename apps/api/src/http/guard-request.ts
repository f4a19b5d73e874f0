import { type IncomingMessage, ServerResponse } from 'node:http';
import { BATCH_BYTES_MAX } from '@insurance-verification/schema';
import type { Middleware } from 'koa';
import { fileTooLarge } from '../body/read-upload.ts';
import { ProblemError } from '../procedure/problem.ts';

/** Far more than any client or proxy sends. Node would silently drop headers beyond its own limit of 2,000. */
const HEADER_COUNT_MAX = 100;

/**
 * Refuses requests whose first line or headers are not acceptable, before a route is chosen, and reduces targets to paths
 * for the routes. Each refusal closes the connection: the bytes that follow are an unread body, or cannot be
 * distinguished from one.
 */
export function guardRequest(bodyBytesMax: number): Middleware {
  return async (koa, next) => {
    refuseUnreadable(koa.req);
    const length = Number(koa.req.headers['content-length'] ?? 0);
    if (BATCH_TARGET.test(koa.url)) {
      if (length > BATCH_BYTES_MAX) throw fileTooLarge();
    } else if (length > bodyBytesMax) throw new ProblemError('payload_too_large', close);
    koa.url = originForm(koa.url);
    await next();
  };
}

/** Where a file of rows is posted, which is not read into memory. */
const BATCH_TARGET = /^(?:\/console)?\/batches(?:\?|$)/;

/** @throws {ProblemError} */
function refuseUnreadable(req: IncomingMessage): void {
  const { headers } = req;
  if (req.rawHeaders.length / 2 > HEADER_COUNT_MAX) throw new ProblemError('header_too_large', close);
  // Node's own host check answers without a body, so it is switched off and done here (RFC 9112, 3.2).
  const hostCount = countHosts(req.rawHeaders);
  if (hostCount > 1 || (hostCount === 0 && req.httpVersion === '1.1'))
    throw new ProblemError('bad_request', close);
  // A body in another transfer coding would be read as plain.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new ProblemError('bad_request', close);
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_content_encoding', {
      headers: { 'accept-encoding': 'identity', ...close.headers },
    });
  }
}

/** Reads names and values in turn. `headersDistinct` would make a list of every header for this. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

const close = { headers: { connection: 'close' } };

/**
 * The target without scheme and host, which a client may send as if to a proxy (RFC 9112, 3.2.2): routes, and Node's
 * older parser that Koa reads it with, then see only paths.
 * @throws {ProblemError} `bad_request` for an invalid address.
 */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  if (!url) throw new ProblemError('bad_request', close);
  return `${url.pathname}${url.search}`;
}

/**
 * The same on every answer. No cache may keep one: the key travels in `x-key`, so a shared cache does not see, as it
 * would with `Authorization`, that the answer is one client's. An API's answers load nothing, so the policy allows
 * nothing; pages widen it. Its `frame-ancestors` is what `X-Frame-Options` was.
 */
const SECURITY_HEADERS = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none';form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

/** Where people and programs come over TLS, which the proxy ends: browsers ignore it elsewhere (RFC 6797, 7.2). */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

/** An HTTP answer, Koa's own of an error too. It has the security headers unless a header of the same name is set. */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number): this {
    for (const [name, value] of SECURITY_HEADERS) if (!this.hasHeader(name)) this.setHeader(name, value);
    return super.writeHead(status);
  }
}
