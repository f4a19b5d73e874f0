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

const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: true };

/**
 * Helmet's headers by lower-case name, computed once: they are the same on every answer. No cache may keep an answer: the key travels in
 * `x-key`, so a shared cache does not see, as it would with `Authorization`, that the answer is one client's.
 */
export const securityHeaders: readonly [string, string][] = [
  ...headersOf(helmet({ contentSecurityPolicy, strictTransportSecurity })),
  ['cache-control', 'no-store'],
];

function headersOf(apply: ReturnType<typeof helmet>): [string, string][] {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  apply(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]);
}
