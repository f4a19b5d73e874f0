import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { aConnection, type Answer, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head as headOf } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { callHeaders, HOST, listTools, useHttpServer } from './an-http-server.ts';

const server = useHttpServer();

const head = (line: string, headers: readonly string[] = []) => headOf(line, headers, HOST);
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A call with any key; without a session when its id is empty. */
function post(body: string, sessionId: string, key = API_KEY): Promise<Answer> {
  const lines = [
    `x-key: ${key}`,
    ...callHeaders.slice(1),
    ...(sessionId === '' ? [] : [`mcp-session-id: ${sessionId}`]),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return exchange(server().url, head('POST /mcp', lines) + body);
}

const sessionOf = async (key?: string) => (await post(initialize, '', key)).headers['mcp-session-id'] ?? '';
const bodiless = (method: string, sessionId: string, key = API_KEY) =>
  head(`${method} /mcp`, [`x-key: ${key}`, `mcp-session-id: ${sessionId}`, 'connection: close']);
const noSession = { jsonrpc: '2.0', error: { code: -32_001 }, id: null };

test('a session begins with its first message and ends with a DELETE', async () => {
  const id = await sessionOf();
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect((await post(listTools, id)).status).toBe(200);
  expect((await exchange(server().url, bodiless('DELETE', id))).status).toBe(204);
  for (const answer of [await post(listTools, id), await exchange(server().url, bodiless('DELETE', id))])
    expect([answer.status, answer.json]).toMatchObject([404, noSession]);
  await server().assertWell();
});

// A session id is no key: a leaked one must grant nothing.
test('a session of one key is unknown to any other, and without a key it is 401', async () => {
  const id = await sessionOf();
  for (const answer of [
    await post(listTools, id, 'another-key'),
    await exchange(server().url, bodiless('GET', id, 'another-key')),
    await exchange(server().url, bodiless('DELETE', id, 'another-key')),
  ])
    expect([answer.status, answer.json]).toMatchObject([404, noSession]);
  const nobody = await exchange(server().url, head('DELETE /mcp', [`mcp-session-id: ${id}`]));
  expect([nobody.status, nobody.json]).toEqual([401, server().problem('unauthorized')]);
  expect((await post(listTools, id)).status).toBe(200);
});

test('a session has one stream, which ends with it', async () => {
  const id = await sessionOf();
  const stream = aConnection(server().url);
  stream.write(bodiless('GET', id));
  await stream.heard('content-type: text/event-stream');
  await stream.heard(': open');
  const second = await exchange(server().url, bodiless('GET', id));
  expect([second.status, second.json]).toEqual([405, server().problem('method_not_allowed')]);
  await exchange(server().url, bodiless('DELETE', id));
  await stream.closed();
});

test('a stream that its client has cut can be opened again', async () => {
  const id = await sessionOf();
  for (let round = 0; round < 3; round += 1) {
    const stream = aConnection(server().url);
    const opened = async () => {
      stream.write(bodiless('GET', id));
      await stream.heard(': open');
    };
    await opened();
    stream.cut();
    await expect
      .poll(async () => {
        const again = aConnection(server().url);
        again.write(bodiless('GET', id));
        const isOpen = await again.heard(': open').then(
          () => true,
          () => false,
        );
        again.cut();
        return isOpen;
      })
      .toBe(true);
  }
  await server().assertWell();
});

// Anyone can send a well-formed key: sessions must not fill the memory, nor those of one key shut others out.
test('beyond a hundred sessions a key is served without one', async () => {
  const key = 'a-key-with-many-sessions';
  const ids = new Set<string>();
  for (let count = 0; count < 100; count += 1) ids.add(await sessionOf(key));
  expect(ids.size).toBe(100);
  const more = await post(initialize, '', key);
  expect([more.status, more.headers['mcp-session-id']]).toEqual([200, undefined]);
  expect(await sessionOf('another-key')).not.toBe('');
  const [first = ''] = ids;
  expect((await exchange(server().url, bodiless('DELETE', first, key))).status).toBe(204);
  expect(await sessionOf(key)).not.toBe('');
});

test('a key has 32 streams at once', async () => {
  const key = 'a-key-with-many-streams';
  const streams = [];
  for (let count = 0; count < 32; count += 1) {
    const stream = aConnection(server().url);
    stream.write(bodiless('GET', await sessionOf(key), key));
    await stream.heard(': open');
    streams.push(stream);
  }
  const more = await exchange(server().url, bodiless('GET', await sessionOf(key), key));
  expect(more.status).toBe(405);
  for (const stream of streams) stream.cut();
  await server().assertWell();
});
