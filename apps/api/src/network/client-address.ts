import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Networks } from './networks.ts';

/**
 * The client's address: the socket's, or what a trusted proxy reports of its client. One hop and no more: anyone may
 * have written the entries before the last. Null when unknown: the proxy names no address, or two headers name
 * different ones, one of which then comes from the client.
 */
export function addressOf(req: IncomingMessage, trustedProxies: Networks): string | null {
  const peer = readAddress(req.socket.remoteAddress);
  if (peer === null || !trustedProxies.includes(peer)) return peer;
  const { forwarded, 'x-forwarded-for': forwardedFor } = req.headersDistinct;
  const named = [
    ...(forwarded ? [readNode(forOf(lastOf(forwarded)))] : []),
    ...(forwardedFor ? [readNode(lastOf(forwardedFor))] : []),
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

/** The last entry of a list: the one that the proxy itself wrote, whatever its client sent before it. */
function lastOf(lines: readonly string[]): string {
  const line = lines.join(',');
  return line.slice(line.lastIndexOf(',') + 1).trim();
}

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
