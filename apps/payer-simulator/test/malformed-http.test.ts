import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayerSimulator, startSimulator } from '../src/index.ts';

let simulator: PayerSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

/** What the simulator sends for some bytes until the connection closes; the client sends nothing more. */
function saidTo(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    socket.on('error', () => undefined); // only the following close counts
    socket.once('close', () => resolve(text));
    socket.end(bytes);
  });
}

const post = (headers: readonly string[], body: string, target = '/') =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: a',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

const hostile: [what: string, bytes: string | Uint8Array][] = [
  ['GET //', 'GET // HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET //[', 'GET //[ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['POST //', post([], 'x', '//')],
  ['POST http://', post([], 'x', 'http://')],
  ['POST http://[', post([], 'x', 'http://[')],
  ['an address beyond ASCII', Buffer.from('GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n', 'utf8')],
  ['no Host', 'POST / HTTP/1.1\r\n\r\n'],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
  ['no HTTP', 'hello\r\n\r\n'],
  ['both lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a cut body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nISA'],
  ['no X12', post(['Content-Type: application/edi-x12'], 'ISA')],
  ['JSON that is none', post(['Content-Type: application/json'], '{')],
  ['JSON of another shape', post(['Content-Type: application/json'], 'null')],
  ['50,000 levels', post(['Content-Type: application/json'], '['.repeat(50_000))],
  ['a form without parts', post(['Content-Type: multipart/form-data; boundary=x'], '--x')],
  [
    'a form whose boundary is a pattern',
    post(['Content-Type: multipart/form-data; boundary=(a+)+$'], 'a'.repeat(50_000)),
  ],
  ['many boundaries', post([`Content-Type: multipart/form-data; ${'boundary='.repeat(1_500)}`], '--')],
  ['a megabyte of delimiters', post([], `ISA${'*'.repeat(1_000_000)}`)],
  ['too much', post([], 'x'.repeat(1_100_000))],
];

// One caller's bytes must not end a demo, or the suites that share one simulator.
test.each(hostile)('%s ends nothing', async (_, bytes) => {
  expect(await saidTo(bytes)).not.toMatch(/HTTP\/1\.1 5\d\d|node_modules|\.ts\b/);
  expect(await saidTo('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /);
});
