import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Networks } from './networks.ts';

/**
 * The client's address: the socket's, or what a trusted proxy says of its client, one hop and no more: what stands
 * before the last entry is anybody's word. Null where it is not known: a proxy names no address, or two headers tell
 * different ones, of which one then comes from the client.
 */
export function addressOf(req: IncomingMessage, trustedProxies: Networks): string | null {
  const peer = readAddress(req.socket.remoteAddress);
  if (peer === null || !trustedProxies.includes(peer)) return peer;
  const { forwarded, 'x-forwarded-for': forwardedFor } = req.headersDistinct;
  const told = [
    ...(forwarded ? [readNode(forOf(lastOf(forwarded)))] : []),
    ...(forwardedFor ? [readNode(lastOf(forwardedFor))] : []),
  ];
  const [address = peer] = told;
  return told.every((other) => other === address) ? address : null;
}

/**
 * Who asks, as far as an address tells: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of a
 * /64 has them all.
 */
export function clientOf(address: string | null): string {
  if (address === null) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

/** The last entry of a list: the one that the proxy itself has written, whatever its client wrote before it. */
function lastOf(lines: readonly string[]): string {
  const line = lines.join(',');
  return line.slice(line.lastIndexOf(',') + 1).trim();
}

/** The `for` of a Forwarded element (RFC 7239). */
function forOf(element: string): string | undefined {
  const [, quoted, plain] = /(?:^|;)\s*for=(?:"([^"]*)"|([^\s;]*))/i.exec(element) ?? [];
  return quoted ?? plain;
}

/** An address without the port and the brackets that proxies write around it. */
function readNode(node: string | undefined): string | null {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(node ?? '') ?? [];
  return readAddress(bracketed ?? plain ?? node);
}

function readAddress(text: string | undefined): string | null {
  const [address = ''] = (text ?? '').split('%'); // a link-local address names its interface
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
