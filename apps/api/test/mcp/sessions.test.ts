import { problemOf } from '@insurance-verification/schema';
import { aConnection, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head as headOf } from '@insurance-verification/testing/wire/head';
import { afterEach, expect, test } from 'vitest';
import { BOOTSTRAP_KEY } from '../a-service.ts';
import { callHeaders, HOST, initialize, listTools, post as postTo } from './a-wire.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

afterEach(() => service().assertWell());

const head = (line: string, headers: readonly string[] = []) => headOf(line, headers, HOST);

/** A call with any key; without a session when its id is empty. */
const post = (body: string, sessionId: string, key = BOOTSTRAP_KEY) =>
  postTo(service(), body, [
    `x-key: ${key}`,
    ...callHeaders.slice(1),
    ...(sessionId === '' ? [] : [`mcp-session-id: ${sessionId}`]),
  ]);

const sessionOf = async (key?: string) => (await post(initialize, '', key)).headers['mcp-session-id'] ?? '';
const bodiless = (method: string, sessionId: string, key = BOOTSTRAP_KEY) =>
  head(`${method} /mcp`, [`x-key: ${key}`, `mcp-session-id: ${sessionId}`, 'connection: close']);
const noSession = { jsonrpc: '2.0', error: { code: -32_001 }, id: null };

test('a session begins with its first message and ends with a DELETE', async () => {
  const id = await sessionOf();
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect((await post(listTools, id)).status).toBe(200);
  expect((await exchange(service().url, bodiless('DELETE', id))).status).toBe(204);
  for (const answer of [await post(listTools, id), await exchange(service().url, bodiless('DELETE', id))])
    expect([answer.status, answer.json]).toMatchObject([404, noSession]);
});

// A session id is no key: a leaked one must grant nothing.
test('a session of one key is unknown to any other, and without a key it is 401', async () => {
  const id = await sessionOf();
  const { key: other } = await service().aKey();
  for (const answer of [
    await post(listTools, id, other),
    await exchange(service().url, bodiless('GET', id, other)),
    await exchange(service().url, bodiless('DELETE', id, other)),
  ])
    expect([answer.status, answer.json]).toMatchObject([404, noSession]);
  const keyless = await exchange(service().url, head('DELETE /mcp', [`mcp-session-id: ${id}`]));
  expect([keyless.status, keyless.json]).toEqual([401, problemOf('unauthorized')]);
  expect((await post(listTools, id)).status).toBe(200);
});

test('a session has one stream, which ends with it', async () => {
  const id = await sessionOf();
  const stream = aConnection(service().url);
  stream.write(bodiless('GET', id));
  await stream.heard('text/event-stream');
  await stream.heard(': open');
  const second = await exchange(service().url, bodiless('GET', id));
  expect([second.status, second.json]).toEqual([405, problemOf('method_not_allowed')]);
  await exchange(service().url, bodiless('DELETE', id));
  await stream.closed();
});

test('a stream that its client has cut can be opened again', async () => {
  const id = await sessionOf();
  for (let round = 0; round < 3; round += 1) {
    const stream = aConnection(service().url);
    const opened = async () => {
      stream.write(bodiless('GET', id));
      await stream.heard(': open');
    };
    await opened();
    stream.cut();
    await expect
      .poll(async () => {
        const again = aConnection(service().url);
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
});

// Sessions must not fill the memory, nor those of one key shut others out.
test('beyond a hundred sessions a key is served without one', async () => {
  const { key } = await service().aKey();
  const ids = new Set<string>();
  for (let count = 0; count < 100; count += 1) ids.add(await sessionOf(key));
  expect(ids.size).toBe(100);
  const more = await post(initialize, '', key);
  expect([more.status, more.headers['mcp-session-id']]).toEqual([200, undefined]);
  expect(await sessionOf()).not.toBe('');
  const [first = ''] = ids;
  expect((await exchange(service().url, bodiless('DELETE', first, key))).status).toBe(204);
  expect(await sessionOf(key)).not.toBe('');
});

test('a key has 32 streams at once', async () => {
  const { key } = await service().aKey();
  const streams = [];
  for (let count = 0; count < 32; count += 1) {
    const stream = aConnection(service().url);
    stream.write(bodiless('GET', await sessionOf(key), key));
    await stream.heard(': open');
    streams.push(stream);
  }
  const more = await exchange(service().url, bodiless('GET', await sessionOf(key), key));
  expect(more.status).toBe(405);
  for (const stream of streams) stream.cut();
});
