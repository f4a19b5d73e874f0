import { isIP } from 'node:net';
import type { AddressGuard } from '../address/create-address-guard.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Of the addresses that a host means without a look-up, those that may be called: a literal's own, this machine's for
 * `localhost`. Null for every other name.
 */
export function permittedLiterals(host: string, guard: AddressGuard): string[] | null {
  if (isIP(host) !== 0) return guard.isAllowed(host) ? [host] : [];
  const name = host.replace(/\.$/, '').toLowerCase();
  if (name !== 'localhost' && !name.endsWith('.localhost')) return null;
  // Never asked of DNS (RFC 6761, 6.3). The list is ours, so opening 127.0.0.0/8 alone is enough to reach it.
  return LOOPBACK.filter((address) => guard.isAllowed(address));
}
