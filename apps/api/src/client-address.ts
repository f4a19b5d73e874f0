import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * Who asks, as far as an address tells: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of a
 * /64 has them all. Empty when the client has gone.
 */
export function clientOf(req: IncomingMessage): string {
  const address = req.socket.remoteAddress;
  if (address === undefined) return '';
  const parsed = ipaddr.process(address); // an IPv4-mapped one as IPv4
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}
