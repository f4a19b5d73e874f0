import type { IncomingMessage } from 'node:http';

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The address that a client used: Host, or the scheme and host that a proxy reports. These headers are not verified:
 * only their sender gets the answer, since no cache keeps it.
 */
export function originOf({ headers, socket }: IncomingMessage): string {
  const scheme = firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const host = [firstOf(headers['x-forwarded-host']), headers.host].find((text) => text && HOST.test(text));
  return `${scheme}://${host ?? localHost(socket)}`;
}

/** The first entry: of a chain of proxies, it describes the one that the client asked. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')[0]
    ?.trim()
    .toLowerCase();
}

/** The connection's own address, for a client that names no host. */
function localHost({ localAddress = '127.0.0.1', localPort = 80 }: IncomingMessage['socket']): string {
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}
