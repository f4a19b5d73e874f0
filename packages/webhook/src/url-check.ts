import { createAddressGuard, permittedLiterals } from './address-guard.ts';
import { requestTarget, type WebhookSenderOptions } from './send.ts';

/**
 * Why a sender would always refuse to call an address.
 *
 * - `not_https`: it is not `https:` where that is required, or neither `http:` nor `https:`.
 * - `no_port`: its port is 0, where nothing can listen.
 * - `blocked_address`: its host is an IP literal, or `localhost`, that the address guard refuses.
 */
export type UrlRefusal = 'not_https' | 'no_port' | 'blocked_address';

/**
 * Creates a check whether a sender with the same options could ever call an address, without a look-up: null only means
 * that nothing speaks against it yet.
 *
 * @throws TypeError for an entry of `allowCidrs` that is not a CIDR.
 */
export function createUrlCheck({
  allowCidrs,
  httpsOnly,
}: Pick<WebhookSenderOptions, 'allowCidrs' | 'httpsOnly'>): (url: string) => UrlRefusal | null {
  const guard = createAddressGuard({ allowCidrs });
  return (url) => {
    if (URL.parse(url)?.port === '0') return 'no_port';
    const target = requestTarget(url, httpsOnly);
    if (target === null) return 'not_https';
    const { hostname } = new URL(target.origin);
    return permittedLiterals(hostname.replace(/^\[|\]$/g, ''), guard)?.length === 0
      ? 'blocked_address'
      : null;
  };
}
