import ipaddr from 'ipaddr.js';

/**
 * Every IPv4 address that a gateway, tunnel or kernel may derive from an IPv6 address. A translator on the way turns
 * `64:ff9b::7f00:1` into 127.0.0.1, so the guard has to judge the result. IPv4-mapped addresses are not included:
 * ipaddr.js `process` unwraps them first.
 */
export function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
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
