import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The server's answer for a name: addresses of both families, `NXDOMAIN`, or no answer at all. */
export type DnsAnswer = readonly string[] | 'nxdomain' | 'silent';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const ANSWER_FLAGS = 0x8180;
const NXDOMAIN = 3;

/**
 * `@insurance-verification/webhook/testing`: source only, not published.
 *
 * A name server on 127.0.0.1 (UDP) that calls `answerTo` for every query, so a name may answer differently the second
 * time.
 */
export async function startDnsServer(answerTo: (name: string, family: 4 | 6) => DnsAnswer) {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    queries.push(name);
    const answer = answerTo(name, type === TYPE_AAAA ? 6 : 4);
    if (answer === 'silent') return;
    const addresses =
      answer === 'nxdomain' ? [] : answer.filter((text) => (isIPv4(text) ? TYPE_A : TYPE_AAAA) === type);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER_FLAGS | (answer === 'nxdomain' ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      record(type, Buffer.from(ipaddr.parse(address).toByteArray())),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** For `dnsServers`. */
    address: `127.0.0.1:${socket.address().port}`,
    /** The queried names, in order. */
    queries,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** A record of class IN with a time to live of zero, whose name points to the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}
