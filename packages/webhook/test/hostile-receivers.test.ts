import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { listen } from './listen.ts';
import { aSender, post } from './senders.ts';

// Long enough for a machine that runs everything else meanwhile: only the rude receivers reach them.
const DEADLINES = { connectTimeoutMs: 3000, headersTimeoutMs: 3000, totalTimeoutMs: 5000 };

/** A receiver that reads the first bytes of a request and then does as it likes with the socket. */
const rude = (answer: (socket: Socket) => void) =>
  createServer((socket) => {
    socket.once('data', () => answer(socket));
    socket.resume();
  });

/**
 * Writes a piece again and again, as fast as the peer takes it or one piece every few milliseconds, until the
 * socket is gone.
 */
function keepWriting(socket: Socket, piece: string | Buffer, everyMs = 0): void {
  if (socket.destroyed) return;
  socket.write(piece, () => setTimeout(keepWriting, everyMs, socket, piece, everyMs));
}

const RECEIVERS: [string, (socket: Socket) => void, object][] = [
  ['hangs before the status line', () => {}, { outcome: 'timeout', statusCode: null }],
  [
    'hangs within the headers',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nx: y'),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  [
    'drips its headers one byte at a time',
    (socket) => (socket.write('HTTP/1.1 503 No\r\nx: '), keepWriting(socket, 'y', 20)),
    { outcome: 'http_error', statusCode: 503 },
  ],
  [
    'sends one interim answer after the other',
    (socket) => keepWriting(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n', 20),
    { outcome: 'timeout', statusCode: null },
  ],
  [
    'hangs within the body of a 200',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    { outcome: 'succeeded', statusCode: 200, responseSnippet: Uint8Array.from(Buffer.from('half')) },
  ],
  [
    'hangs within the body of a 503',
    (socket) => socket.write('HTTP/1.1 503 No\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\n'),
    { outcome: 'http_error', statusCode: 503, retryAfterSeconds: 7, responseSnippet: null },
  ],
  [
    'drips the body of a 200',
    (socket) => (
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n'),
      keepWriting(socket, 'z', 20)
    ),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  [
    'resets within the body of a 200',
    (socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.resetAndDestroy()),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  [
    'sends a body without end',
    (socket) => (socket.write('HTTP/1.1 200 OK\r\n\r\n'), keepWriting(socket, Buffer.alloc(16_384))),
    { outcome: 'succeeded', statusCode: 200, responseSnippet: new Uint8Array(2048) },
  ],
  [
    'sends a header of 20 KB',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_480)}\r\n\r\n`),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  [
    'sends headers without end',
    (socket) => (socket.write('HTTP/1.1 200 OK\r\n'), keepWriting(socket, 'x: y\r\n'.repeat(999))),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  [
    'resets within the headers of a 503',
    (socket) => socket.write('HTTP/1.1 503 No\r\nx: y', () => socket.resetAndDestroy()),
    { outcome: 'http_error', statusCode: 503 },
  ],
  [
    'closes within the headers of a 200',
    (socket) => socket.end('HTTP/1.1 200 OK\r\n'),
    { outcome: 'succeeded', statusCode: 200 },
  ],
  ['closes within the status line', (socket) => socket.end('HTTP/1.1 2'), { outcome: 'connection_failed' }],
  ['closes without an answer', (socket) => socket.end(), { outcome: 'connection_failed', statusCode: null }],
  ['resets', (socket) => socket.resetAndDestroy(), { outcome: 'connection_failed', statusCode: null }],
  [
    'speaks another protocol',
    (socket) => socket.end('220 smtp ready\r\n'),
    { outcome: 'connection_failed', statusCode: null },
  ],
  [
    'switches protocols unasked',
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    { outcome: 'connection_failed', statusCode: null },
  ],
];

test.concurrent.each(RECEIVERS)(
  'a receiver that %s ends in its class, and its socket is closed',
  async (_what, answer, expected) => {
    await using server = await listen(rude(answer));
    await using sender = aSender(DEADLINES);
    expect(await post(sender, `http://127.0.0.1:${server.port}/`)).toMatchObject(expected);
    // Not expect.poll, which cannot distinguish concurrent tests.
    await vi.waitFor(() => expect(server.open()).toBe(0), { timeout: 10_000 });
  },
);

test('a compressed body is kept as it came, so a bomb stays small', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  await using server = await listen(
    createHttpServer((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
  );
  await using sender = aSender();
  const result = await post(sender, `http://127.0.0.1:${server.port}/`);
  expect(result).toMatchObject({
    outcome: 'succeeded',
    responseSnippet: Uint8Array.from(bomb.subarray(0, 2048)),
  });
});

test('a slow receiver within the deadline succeeds', async () => {
  await using server = await listen(createHttpServer((_req, res) => setTimeout(() => res.end('late'), 200)));
  await using sender = aSender();
  expect(await post(sender, `http://127.0.0.1:${server.port}/`)).toMatchObject({ outcome: 'succeeded' });
});

test('waiting for a free connection counts towards the deadline, and sockets per receiver are bounded', async () => {
  await using server = await listen(rude(() => {}));
  await using sender = aSender({ ...DEADLINES, headersTimeoutMs: 5000, totalTimeoutMs: 700 });
  const results = await Promise.all(
    Array.from({ length: 60 }, () => post(sender, `http://127.0.0.1:${server.port}/`)),
  );
  expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(['timeout']));
  // 16 at a time, and a few more while the first ones reach their deadline; without the bound it is 60.
  expect(server.accepted()).toBeLessThanOrEqual(32);
  await expect.poll(server.open).toBe(0);
});

const socketsOfProcess = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

test('after 300 attempts at rude receivers no socket is left, on either side', async () => {
  const before = socketsOfProcess();
  await using endless = await listen(
    rude((socket) => (socket.write('HTTP/1.1 200 OK\r\n\r\n'), keepWriting(socket, 'z'.repeat(16_384)))),
  );
  await using reset = await listen(rude((socket) => socket.resetAndDestroy()));
  await using hanging = await listen(
    rude((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')),
  );
  await using sender = aSender({ ...DEADLINES, totalTimeoutMs: 100 });
  const urls = [endless, reset, hanging].map(({ port }) => `http://127.0.0.1:${port}/`);
  for (let round = 0; round < 10; round += 1) {
    const thirty = Array.from({ length: 10 }, () => urls).flat();
    await Promise.all(thirty.map((url) => post(sender, url))); // oxlint-disable-line no-await-in-loop -- in rounds, to reuse what the last left
  }
  await expect.poll(() => endless.open() + reset.open() + hanging.open()).toBe(0);
  await expect.poll(socketsOfProcess).toBeLessThanOrEqual(before);
});
