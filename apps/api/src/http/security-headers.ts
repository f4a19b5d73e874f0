import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** An API's answers load nothing, so the policy allows nothing; `/docs` widens it. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'none'"],
  },
};

/**
 * Helmet's headers, computed once: they are the same on every answer. No cache may keep an answer: the key travels in
 * `x-key`, so a shared cache does not see, as it would with `Authorization`, that the answer is one client's.
 */
const SECURITY_HEADERS: readonly [string, string][] = [
  ...headersOf(helmet({ contentSecurityPolicy, strictTransportSecurity: false })),
  ['cache-control', 'no-store'],
];

/** Where people and programs come over TLS, which the proxy ends: browsers ignore it elsewhere (RFC 6797, 7.2). */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

/** An HTTP answer, Koa's own of an error too. It has the security headers unless a header of the same name is set. */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number): this {
    for (const [name, value] of SECURITY_HEADERS) if (!this.hasHeader(name)) this.setHeader(name, value);
    return super.writeHead(status);
  }
}

function headersOf(apply: ReturnType<typeof helmet>): [string, string][] {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  apply(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]);
}
