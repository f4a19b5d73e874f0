import type { IncomingMessage } from 'node:http';

/** A name, an IPv4 address or an IPv6 one in brackets, and a port. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Under which address a client asked: by Host, and by what a proxy says of the scheme and the host before it. Nobody's
 * word is checked, since whoever sends these headers gets the answer alone: no cache keeps it.
 */
export function originOf({ headers, socket }: IncomingMessage): string {
  const scheme = firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const host = [firstOf(headers['x-forwarded-host']), headers.host].find((text) => text && HOST.test(text));
  return `${scheme}://${host ?? localHost(socket)}`;
}

/** Of a chain of proxies the first is the one that the client asked. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')[0]
    ?.trim()
    .toLowerCase();
}

/** What the connection itself tells, for a client that names no host. */
function localHost({ localAddress = '127.0.0.1', localPort = 80 }: IncomingMessage['socket']): string {
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}
