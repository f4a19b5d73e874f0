import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SendResult, WebhookSender } from '../src/index.ts';
import { listen } from './listen.ts';
import { aSender, post } from './senders.ts';

/** A receiver that answers `/<status>` with that status and the headers given in the query. */
const obedient = () =>
  createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://h');
    res.writeHead(Number(url.pathname.slice(1)), Object.fromEntries(url.searchParams)).end('why');
  });

test.each([
  [200, 'succeeded'],
  [201, 'succeeded'],
  [299, 'succeeded'],
  [300, 'redirected'],
  [304, 'redirected'],
  [308, 'redirected'],
  [400, 'http_error'],
  [401, 'http_error'],
  [409, 'http_error'],
  [410, 'gone'],
  [429, 'http_error'],
  [500, 'http_error'],
  [599, 'http_error'],
  [799, 'http_error'],
])('status %i is %s', async (status, outcome) => {
  await using server = await listen(obedient());
  await using sender = aSender();
  const result = await post(sender, `http://127.0.0.1:${server.port}/${status}`);
  expect(result).toMatchObject({ outcome, statusCode: status, retryAfterSeconds: null });
  expect(Buffer.from(result.responseSnippet ?? []).toString()).toBe(status === 304 ? '' : 'why');
});

/** A receiver that answers these bytes to whatever it is sent, each piece in a packet of its own. */
const literal = (pieces: readonly string[]) =>
  createTcpServer((socket) => {
    socket.setNoDelay(true).once('data', () => writeApart(socket, pieces));
  });

function writeApart(socket: Socket, [piece, ...later]: readonly string[]): void {
  if (piece !== undefined) socket.write(piece, () => setImmediate(writeApart, socket, later));
}

/** One attempt at a receiver of its own that answers these pieces. */
async function answeredBy(sender: WebhookSender, pieces: readonly string[]): Promise<SendResult> {
  await using server = await listen(literal(pieces));
  return await post(sender, `http://127.0.0.1:${server.port}/`);
}

// RFC 9110, 15.2: a client must be able to parse one or more of them, also where it expects none.
test.each([
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 with a header', 'HTTP/1.1 100 Continue\r\ndate: now\r\n\r\n'],
  ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
  ['two 100', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)],
  ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'],
])('an answer after %s is read, together, apart, and byte by byte', async (_what, interim) => {
  await using sender = aSender();
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n';
  const ways = [[interim + answer], [interim, answer], Array.from(interim + answer)];
  for (const result of await Promise.all(ways.map((pieces) => answeredBy(sender, pieces))))
    expect(result).toMatchObject({ outcome: 'succeeded', statusCode: 204 });
});

// As curl, httpx and urllib read them.
test.each([
  ['chunked beside a length', 'transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['two equal lengths', 'content-length: 2\r\ncontent-length: 2\r\n\r\nok'],
  ['two unequal lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\nok'],
  ['a folded header', 'x-a: one\r\n two\r\ncontent-length: 2\r\n\r\nok'],
  ['a header without a name', ': x\r\ncontent-length: 2\r\n\r\nok'],
  ['a blank in a name', 'x a: y\r\ncontent-length: 2\r\n\r\nok'],
  ['a NUL in a header', 'x: a\0b\r\ncontent-length: 2\r\n\r\nok'],
  ['a length that is no number', 'content-length: two\r\n\r\nok'],
])('the status line decides an answer with %s', async (_what, rest) => {
  await using sender = aSender();
  const expected = {
    '200 OK': 'succeeded',
    '202': 'succeeded',
    '302 Found': 'redirected',
    '410 Gone': 'gone',
    '503 Busy': 'http_error',
  };
  const lines = Object.keys(expected);
  const results = await Promise.all(lines.map((line) => answeredBy(sender, [`HTTP/1.1 ${line}\r\n${rest}`])));
  expect(results.map(({ outcome }) => outcome)).toEqual(Object.values(expected));
  expect(results.map(({ statusCode }) => statusCode)).toEqual(lines.map((line) => Number(line.slice(0, 3))));
});

test('the status line decides an answer whose lines end only with LF', async () => {
  await using server = await listen(literal(['HTTP/1.1 200 OK\ncontent-length: 2\n\nok']));
  await using sender = aSender();
  const result = await post(sender, `http://127.0.0.1:${server.port}/`);
  expect(result).toMatchObject({ outcome: 'succeeded', statusCode: 200 });
});

test('the status line of an answer never decides the next attempt on its connection', async () => {
  await using server = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        socket.once('data', () => socket.resetAndDestroy());
      });
    }),
  );
  await using sender = aSender();
  const url = `http://127.0.0.1:${server.port}/`;
  expect(await post(sender, url)).toMatchObject({ outcome: 'succeeded', statusCode: 200 });
  await nextTurn(); // undici may hand out the next connection in the tick before this one is free
  expect(await post(sender, url)).toMatchObject({ outcome: 'connection_failed', statusCode: null });
  expect(server.accepted()).toBe(1);
});

test('a redirect is a failure: its target is never connected to', async () => {
  await using target = await listen(createServer());
  await using server = await listen(obedient());
  await using sender = aSender();
  const location = encodeURIComponent(`http://127.0.0.1:${target.port}/`);
  const statuses = [301, 302, 303, 307, 308];
  const results = await Promise.all(
    statuses.map((status) => post(sender, `http://127.0.0.1:${server.port}/${status}?location=${location}`)),
  );
  expect(results).toMatchObject(statuses.map((statusCode) => ({ outcome: 'redirected', statusCode })));
  expect(target.accepted()).toBe(0);
});

test('reports Retry-After on a failure', async () => {
  await using server = await listen(obedient());
  await using sender = aSender();
  const after = (value: string) =>
    post(sender, `http://127.0.0.1:${server.port}/429?retry-after=${encodeURIComponent(value)}`);
  expect(await after('120')).toMatchObject({ statusCode: 429, retryAfterSeconds: 120 });
  expect(await after('ten minutes')).toMatchObject({ statusCode: 429, retryAfterSeconds: null });
  expect(await after('Fri, 01 Jan 2100 00:00:00 GMT')).toMatchObject({ retryAfterSeconds: 86_400 });
});

test('sends the bytes as they are, the headers given, and the userinfo as authorization only', async () => {
  let seen: { url: string | undefined; method: string | undefined; headers: IncomingHttpHeaders } | undefined;
  const chunks: Buffer[] = [];
  await using server = await listen(
    createServer((req, res) => {
      seen = { url: req.url, method: req.method, headers: req.headers };
      req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => res.end());
    }),
  );
  await using sender = aSender({ userAgent: 'test/1' });
  const body = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  const headers = { 'webhook-id': 'msg_1', 'content-type': 'application/json' };
  await sender.send({ url: `http://us%40er:p%2Fw@127.0.0.1:${server.port}/in?a=1#frag`, headers, body });
  expect(seen).toEqual({
    url: '/in?a=1',
    method: 'POST',
    headers: {
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'content-length': '100000',
      'user-agent': 'test/1',
      authorization: `Basic ${Buffer.from('us@er:p/w').toString('base64')}`,
      ...headers,
    },
  });
  expect(Buffer.concat(chunks).equals(body)).toBe(true);
});

test('keeps connections alive between attempts and closes them at the end', async () => {
  await using server = await listen(obedient());
  const sender = aSender();
  const url = `http://127.0.0.1:${server.port}/200`;
  for (let count = 0; count < 5; count += 1) {
    await post(sender, url); // oxlint-disable-line no-await-in-loop -- one after the other is what reuses a connection
  }
  // Not one: undici may hand out the next connection in the tick before the last one is free.
  expect(server.accepted()).toBeLessThanOrEqual(2);
  await sender.close();
  await expect.poll(server.open).toBe(0);
  await expect(post(sender, url)).rejects.toThrow('closed');
});

test('closes an idle connection before the receiver would', async () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nkeep-alive: timeout=2\r\n\r\n';
  await using server = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => socket.write(answer)); // and never closes
    }),
  );
  await using sender = aSender();
  await post(sender, `http://127.0.0.1:${server.port}/`);
  expect(server.open()).toBe(1);
  await expect.poll(server.open, { timeout: 4000 }).toBe(0);
});

test('an attempt that has just begun is still finished by close', async () => {
  await using server = await listen(obedient());
  const sender = aSender();
  const sending = post(sender, `http://127.0.0.1:${server.port}/200`);
  await sender.close();
  expect(await sending).toMatchObject({ outcome: 'succeeded' });
});

test('an abort by the caller rejects with its reason, before and during an attempt', async () => {
  await using server = await listen(createServer(() => {})); // never answers
  await using sender = aSender();
  const reason = new Error('draining');
  const message = { url: `http://127.0.0.1:${server.port}/`, headers: {}, body: new Uint8Array() };
  await expect(sender.send({ ...message, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.accepted()).toBe(0);

  const abort = new AbortController();
  const sending = sender.send({ ...message, signal: abort.signal });
  await expect.poll(server.accepted).toBe(1);
  abort.abort(reason);
  await expect(sending).rejects.toBe(reason);
  await expect.poll(server.open).toBe(0);
});

test('an abort after the status line keeps the answer: forgetting it would make a duplicate', async () => {
  await using server = await listen(createServer((_req, res) => void res.writeHead(200).write('part')));
  await using sender = aSender();
  const abort = new AbortController();
  const onHeaders = () => setImmediate(() => abort.abort(new Error('draining')));
  subscribe('undici:request:headers', onHeaders);
  onTestFinished(() => void unsubscribe('undici:request:headers', onHeaders));
  const url = `http://127.0.0.1:${server.port}/`;
  const result = await sender.send({ url, headers: {}, body: new Uint8Array(), signal: abort.signal });
  expect(abort.signal.aborted).toBe(true);
  expect(result).toMatchObject({ outcome: 'succeeded', statusCode: 200 });
});

test('refused ports, unreadable addresses and http where only https may be have their class', async () => {
  await using server = await listen(obedient());
  await using open = aSender();
  await using strict = aSender({ httpsOnly: true });
  expect(await post(open, 'http://127.0.0.1:1/')).toMatchObject({
    outcome: 'connection_failed',
    statusCode: null,
  });
  expect(await post(open, 'ftp://127.0.0.1/')).toMatchObject({ outcome: 'blocked_address' });
  expect(await post(strict, `http://127.0.0.1:${server.port}/200`)).toMatchObject({
    outcome: 'blocked_address',
  });
  expect(server.accepted()).toBe(0);
});
