import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Ground } from '../fault-row.ts';

const TYPE_A = 1;
const ANSWER_FLAGS = 0x8180;

/**
 * A name server on 127.0.0.1 that asks `addressesOf` at every query for IPv4 addresses, so a name may answer
 * differently the second time. It has no IPv6 addresses.
 */
export async function startDnsServer(
  { stack }: Ground,
  addressesOf: (name: string) => readonly string[],
): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query);
    const addresses = query.readUInt16BE(end) === TYPE_A ? addressesOf(name) : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER_FLAGS, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    // Each record: a pointer to the question's name, type A, class IN, no time to live, four bytes.
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  stack.defer(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
