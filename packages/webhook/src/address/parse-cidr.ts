import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network and its prefix length in bits. */
export type Cidr = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Reads one entry of an allow list. Stricter than ipaddr.js, which accepts octal and short forms: what the operator
 * wrote must be exactly what is allowed. @throws TypeError naming the entry, the fault and a valid example
 */
export function parseCidr(text: string): Cidr {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) throw notACidr(text);
  const bits = /^(0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(bits <= (family === 4 ? 32 : 128))) throw notACidr(text);
  const network = ipaddr.parse(address);
  const first =
    network.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text);
  if (first.toString() !== network.toString()) {
    throw new TypeError(
      `The allowed network "${text}" has bits set after its prefix; ` +
        `write ${first.toString()}/${bits} for the whole network ` +
        `or ${network.toString()}/${family === 4 ? 32 : 128} for the one address`,
    );
  }
  // Addresses are compared after mapping ::ffff:a.b.c.d to a.b.c.d, so the list must be mapped too.
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
    ? [network.toIPv4Address(), bits - 96]
    : [network, bits];
}

function notACidr(text: string): TypeError {
  return new TypeError(
    `The allowed network "${text}" is not a CIDR; ` +
      'write an address, a slash and a prefix length, for example 10.20.0.0/16 or fd00::/8',
  );
}
