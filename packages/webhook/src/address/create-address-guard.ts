import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { parseCidr } from './parse-cidr.ts';

/** Azure's host agent answers here on every virtual machine, at an address that looks public. */
const AZURE_HOST_AGENT = '168.63.129.16';

/**
 * The only IPv6 block that IANA has allocated as global unicast; ipaddr.js calls everything without a name "unicast".
 */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Decides which addresses a callback may reach. */
export interface AddressGuard {
  /** Whether a connection to this IP literal is allowed. Text that is not a plain IP address is refused. */
  isAllowed(ip: string): boolean;
}

/** The operator's exceptions to "public internet only". */
export interface AddressGuardOptions {
  /** Networks such as `10.20.0.0/16` or `::1/128`, allowed although they are not public. */
  readonly allowCidrs: readonly string[];
}

/**
 * A guard against server-side request forgery: public unicast addresses pass; loopback, private, link-local, metadata,
 * multicast, reserved and documentation addresses do not, nor does an IPv6 address that embeds one of them (mapped,
 * NAT64, 6to4, Teredo, ISATAP, IPv4-compatible). An entry of `allowCidrs` allows its own addresses, except those whose
 * embedded IPv4 address is not allowed too.
 *
 * @throws TypeError for an entry that is not a CIDR, with a valid example.
 */
export function createAddressGuard({ allowCidrs }: AddressGuardOptions): AddressGuard {
  const allowed = allowCidrs.map(parseCidr);
  const isAllowed = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
    const isListed = allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
    if (!isListed && !isPublic(address)) return false;
    return address instanceof ipaddr.IPv4 || embeddedIpv4(address).every(isAllowed);
  };
  return { isAllowed: (ip) => isIP(ip) !== 0 && isAllowed(ipaddr.process(ip)) };
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? address.toString() !== AZURE_HOST_AGENT
    : address.match(GLOBAL_UNICAST);
}
