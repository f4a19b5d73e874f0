import { isIP } from 'node:net';
import type { AddressGuard } from '../address/create-address-guard.ts';
import { SendFailure } from '../sending/send-failure.ts';
import { resolveHost, type ResolveHostOptions } from './resolve-host.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * The addresses a host may be connected at: a literal itself, else everything its name resolves to. One
 * refused address among them refuses the host, because the list is the attacker's to order. @throws
 * SendFailure `blocked_address`, `dns_failed`
 */
export async function permittedAddresses(
  host: string,
  guard: AddressGuard,
  options: ResolveHostOptions,
): Promise<string[]> {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) {
    // Never asked of DNS (RFC 6761, 6.3). The list is ours, so opening 127.0.0.0/8 alone is enough to reach
    // it.
    return refuseIfEmpty(LOOPBACK.filter((address) => guard.isAllowed(address)));
  }
  const addresses = isIP(host) === 0 ? await resolveHost(name, options) : [host];
  return refuseIfEmpty(addresses.every((address) => guard.isAllowed(address)) ? addresses : []);
}

function refuseIfEmpty(addresses: string[]): string[] {
  if (addresses.length === 0) throw new SendFailure('blocked_address');
  return addresses;
}
