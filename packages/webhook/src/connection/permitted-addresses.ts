import type { AddressGuard } from '../address/create-address-guard.ts';
import { SendFailure } from '../sending/send-failure.ts';
import { permittedLiterals } from './permitted-literals.ts';
import { resolveHost, type ResolveHostOptions } from './resolve-host.ts';

/**
 * The addresses to connect to for a host: a literal itself, else everything its name resolves to. One refused address
 * refuses the host, because an attacker controls the order of the list. @throws SendFailure `blocked_address`,
 * `dns_failed`
 */
export async function permittedAddresses(
  host: string,
  guard: AddressGuard,
  options: ResolveHostOptions,
): Promise<string[]> {
  return refuseIfEmpty(permittedLiterals(host, guard) ?? (await permittedByName(host, guard, options)));
}

async function permittedByName(
  host: string,
  guard: AddressGuard,
  options: ResolveHostOptions,
): Promise<string[]> {
  const addresses = await resolveHost(host.replace(/\.$/, '').toLowerCase(), options);
  return addresses.every((address) => guard.isAllowed(address)) ? addresses : [];
}

function refuseIfEmpty(addresses: string[]): string[] {
  if (addresses.length === 0) throw new SendFailure('blocked_address');
  return addresses;
}
