import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether a program listening on this host is reachable only from its own machine: `localhost`, an address of
 * 127.0.0.0/8 or `::1`, in any spelling that a resolver accepts (`127.1`, `0x7f.0.0.1`, `::ffff:127.0.0.1`). False for
 * everything else, even names that currently resolve to loopback: that may change.
 */
export function isLoopbackHost(host: string): boolean {
  // Other parts of a URL's authority (userinfo, a path) do not belong in a host to listen on.
  if (!/^[\w.:-]+$/.test(host)) return false;
  const name = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}/`)?.hostname.replace(/^\[|\]$/g, '');
  if (name === undefined || (host.includes(':') && !isIPv6(host))) return false;
  if (name === 'localhost' || name === 'localhost.') return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}
