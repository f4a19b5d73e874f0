import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What shows the address of a request's client. */
export interface AddressSource {
  readonly headersDistinct: IncomingMessage['headersDistinct'];
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
}

/**
 * The client's address: the socket's, or what trusted proxies report of their client. Each proxy adds the address that
 * called it at the end, so the last entry outside all trusted networks is the client; anyone may have written those
 * before it. Null when unknown: a proxy names no address, or two headers name different clients, and one then comes
 * from the client.
 */
export function addressOf(req: AddressSource, trustedProxies: Networks): string | null {
  const peer = readAddress(req.socket.remoteAddress);
  if (peer === null || !trustedProxies.includes(peer)) return peer;
  const { forwarded, 'x-forwarded-for': forwardedFor } = req.headersDistinct;
  const named = [
    ...(forwarded ? [clientAmong(entriesOf(forwarded).map(forOf), trustedProxies)] : []),
    ...(forwardedFor ? [clientAmong(entriesOf(forwardedFor), trustedProxies)] : []),
  ];
  const [address = peer] = named;
  return named.every((other) => other === address) ? address : null;
}

/**
 * Identifies a client by its address: an IPv4 address, or an IPv6 address's /64, since a host with one address of it
 * has them all.
 */
export function clientOf(address: string | null): string {
  if (address === null) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

/** The last address that is not a trusted proxy's, or the first if all are. Null if an entry after it is not an address. */
function clientAmong(nodes: readonly (string | undefined)[], trustedProxies: Networks): string | null {
  let client: string | null = null;
  for (const node of nodes.toReversed()) {
    client = readNode(node);
    if (client === null || !trustedProxies.includes(client)) return client;
  }
  return client;
}

const entriesOf = (lines: readonly string[]): string[] =>
  lines
    .join(',')
    .split(',')
    .map((entry) => entry.trim());

/** The `for` of a Forwarded element (RFC 7239). */
function forOf(element: string): string | undefined {
  const [, quoted, plain] = /(?:^|;)\s*for=(?:"([^"]*)"|([^\s;]*))/i.exec(element) ?? [];
  return quoted ?? plain;
}

/** An address without the port and brackets that proxies write around it. */
function readNode(node: string | undefined): string | null {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(node ?? '') ?? [];
  return readAddress(bracketed ?? plain ?? node);
}

function readAddress(text: string | undefined): string | null {
  const [address = ''] = (text ?? '').split('%'); // a link-local address includes its interface
  if (isIPv4(address)) return address; // it has no other way to be written
  return isIPv6(address) ? ipaddr.process(address).toString() : null;
}

/** A list of networks. */
export interface Networks {
  /** Whether one of them contains an address as Node or a proxy writes it. */
  includes(address: string): boolean;
}

/**
 * Reads networks such as `10.20.0.0/16`, already validated on entry. An IPv4 address equals its IPv4-mapped IPv6 form.
 */
export function readNetworks(cidrs: readonly string[]): Networks {
  const networks = cidrs.map(readNetwork);
  return {
    includes: (text) => {
      if (networks.length === 0) return false;
      const address = ipaddr.process(text);
      return networks.some(
        ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
      );
    },
  };
}

function readNetwork(cidr: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
    ? [network.toIPv4Address(), bits - 96]
    : [network, bits];
}

/** The kind of network an address is in, for counts that must not contain the address. */
type AddressClass = 'loopback' | 'private' | 'public' | 'unknown';

const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]);

export function addressClassOf(address: string | null): AddressClass {
  if (address === null) return 'unknown';
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return 'loopback';
  return PRIVATE_RANGES.has(range) ? 'private' : 'public';
}
