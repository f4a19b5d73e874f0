import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Networks } from './networks.ts';

/** What shows the address of a request's client. */
export interface AddressSource {
  readonly headersDistinct: IncomingMessage['headersDistinct'];
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
}

/**
 * The client's address: the socket's, or what trusted proxies report of their client. Each proxy adds the address that
 * called it at the end, so the last entry outside all trusted networks is the client; anyone may have written those
 * before it. Null when unknown: a proxy names no address, or two headers name different clients, one of which then comes
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
 * Identifies a client by its address: an IPv4 address, or an IPv6 address's /64, since whoever has one address of it
 * has them all.
 */
export function clientOf(address: string | null): string {
  if (address === null) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

/** The last address that is no trusted proxy; the first of all where each is one. Null where one before it is none. */
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
