import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether a program that listens on this host is reached from its own machine alone: `localhost`, an address of
 * 127.0.0.0/8 or `::1`, in any spelling that a resolver takes for one (`127.1`, `0x7f.0.0.1`, `::ffff:127.0.0.1`).
 * Anything else is not, other names that happen to resolve to loopback too: what a name means may change.
 */
export function isLoopbackHost(host: string): boolean {
  // What else a URL's host may hold (userinfo, a path) is no part of a host to listen on.
  if (!/^[\w.:-]+$/.test(host)) return false;
  const name = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}/`)?.hostname.replace(/^\[|\]$/g, '');
  if (name === undefined || (host.includes(':') && !isIPv6(host))) return false;
  if (name === 'localhost' || name === 'localhost.') return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}
