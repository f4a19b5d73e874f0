import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'none'"],
  },
};

const apply = helmet({
  contentSecurityPolicy,
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
});

/** Helmet's headers on every answer. An API's answers need nothing loaded, so the policy allows nothing; `/docs` widens it. */
export function setSecurityHeaders(res: ServerResponse): void {
  apply({} as IncomingMessage, res, () => undefined);
}
