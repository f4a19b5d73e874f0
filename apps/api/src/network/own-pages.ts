import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackHost } from '@insurance-verification/webhook';

/** Where the service is: the address that people use, if one is configured, and whether it listens only on this machine. */
export interface OwnAddress {
  readonly publicUrl: URL | undefined;
  readonly onLoopback: boolean;
}

export const isHttps = (url: URL | undefined): boolean => url?.protocol === 'https:';

/** Whether a page of ours made the call, as far as the header `Origin` shows; false without one. */
export function hasOwnOrigin({ origin, host = '' }: IncomingHttpHeaders, own: URL | undefined): boolean {
  if (origin === undefined) return false;
  return origin === own?.origin || (!isHttps(own) && origin === `http://${host}`);
}

/** Whether an address names its host by an IP address, for which browsers make no passkey. */
export const isAddressOfNumbers = ({ hostname }: URL): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Whether a name that a call came to, with or without a port, is this machine's. Only by name: a tunnel has another port at its other end. */
export function isThisMachine(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return isLoopbackHost(name.replace(/^\[|\]$/g, ''));
}

/**
 * Whether a web page of somebody else's made the call: any page may send a POST without asking first, and a name that leads
 * here for a while makes it a page of that name (DNS rebinding). Programs send none of these headers, and a name of ours.
 */
export function isOfForeignPage(
  headers: IncomingHttpHeaders,
  { publicUrl, onLoopback }: OwnAddress,
): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !hasOwnOrigin(headers, publicUrl)) return true;
  if (site === 'cross-site' || site === 'same-site') return true;
  return onLoopback && host !== '' && host !== publicUrl?.host && !isThisMachine(host);
}
