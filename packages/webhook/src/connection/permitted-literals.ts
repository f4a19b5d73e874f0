import { isIP } from 'node:net';
import type { AddressGuard } from '../address/create-address-guard.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * The allowed addresses of a host that needs no look-up: a literal's own, or this machine's for `localhost`. Null for
 * every other name.
 */
export function permittedLiterals(host: string, guard: AddressGuard): string[] | null {
  if (isIP(host) !== 0) return guard.isAllowed(host) ? [host] : [];
  const name = host.replace(/\.$/, '').toLowerCase();
  if (name !== 'localhost' && !name.endsWith('.localhost')) return null;
  // Never resolved by DNS (RFC 6761, 6.3). The list is ours, so allowing only 127.0.0.0/8 is enough to reach it.
  return LOOPBACK.filter((address) => guard.isAllowed(address));
}
