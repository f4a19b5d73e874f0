import { createAddressGuard } from '../address/create-address-guard.ts';
import { permittedLiterals } from '../connection/permitted-literals.ts';
import { requestTarget } from './request-target.ts';
import type { WebhookSenderOptions } from './webhook-sender.ts';

/**
 * Why a sender would refuse an address whenever it is asked to call it.
 *
 * - `not_https`: it is not `https:` where nothing else may be called, or not `http:` or `https:` at all.
 * - `blocked_address`: its host is an IP literal, or `localhost`, that the address guard refuses.
 */
export type UrlRefusal = 'not_https' | 'blocked_address';

/**
 * Tells of an address whether a sender with the same options could ever call it, as far as that is known without a
 * look-up: null says no more than that nothing speaks against it yet.
 *
 * @throws TypeError for an entry of `allowCidrs` that is not a CIDR.
 */
export function createUrlCheck({
  allowCidrs,
  httpsOnly,
}: Pick<WebhookSenderOptions, 'allowCidrs' | 'httpsOnly'>): (url: string) => UrlRefusal | null {
  const guard = createAddressGuard({ allowCidrs });
  return (url) => {
    const target = requestTarget(url, httpsOnly);
    if (target === null) return 'not_https';
    const { hostname } = new URL(target.origin);
    return permittedLiterals(hostname.replace(/^\[|\]$/g, ''), guard)?.length === 0
      ? 'blocked_address'
      : null;
  };
}
