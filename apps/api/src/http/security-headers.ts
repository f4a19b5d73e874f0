import { type IncomingMessage, ServerResponse } from 'node:http';

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
