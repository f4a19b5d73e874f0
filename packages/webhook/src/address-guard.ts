import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

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

/**
 * Every IPv4 address that a gateway, tunnel or kernel may derive from an IPv6 address. A translator on the way turns
 * `64:ff9b::7f00:1` into 127.0.0.1, so the guard has to judge the result. IPv4-mapped addresses are not included:
 * ipaddr.js `process` unwraps them first.
 */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0] = address.parts;
  const found: ipaddr.IPv4[] = [];
  // IPv4-compatible ::a.b.c.d (RFC 4291, 2.5.5.1); :: and ::1 are excluded, as they do not mean 0.0.0.0 or 0.0.0.1.
  const isCompatible = (p0 | p1 | p2 | p3 | p4 | p5) === 0 && (p6 !== 0 || p7 > 1);
  // IPv4-translated ::ffff:0:a.b.c.d (RFC 2765, 2.1).
  const isTranslated = (p0 | p1 | p2 | p3 | p5) === 0 && p4 === 0xffff;
  // NAT64: 64:ff9b::/96 (RFC 6052) and the local 64:ff9b:1::/48 (RFC 8215), whose other layout is also checked below.
  const isNat64 = p0 === 0x64 && p1 === 0xff9b;
  // ISATAP interface ids ::[0200:]5efe:a.b.c.d under any prefix (RFC 5214, 6.1).
  const isIsatap = (p4 & 0xfdff) === 0 && p5 === 0x5efe;
  if (isCompatible || isTranslated || isNat64 || isIsatap) found.push(fromParts(p6, p7));
  if (isNat64 && p2 === 1) found.push(fromParts(p3, ((p4 & 0xff) << 8) | (p5 >> 8)));
  // 6to4 (RFC 3056): the router's address.
  if (p0 === 0x2002) found.push(fromParts(p1, p2));
  // Teredo (RFC 4380, 4): the server, and the client with its bits inverted.
  if (p0 === 0x2001 && p1 === 0) found.push(fromParts(p2, p3), fromParts(p6 ^ 0xffff, p7 ^ 0xffff));
  return found;
}

function fromParts(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** A network and its prefix length in bits. */
type Cidr = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Reads one entry of an allow list. Stricter than ipaddr.js, which accepts octal and short forms: what the operator
 * wrote must be exactly what is allowed. @throws TypeError naming the entry, the fault and a valid example
 */
function parseCidr(text: string): Cidr {
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
