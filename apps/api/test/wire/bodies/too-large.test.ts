import { problemOf } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { aConnection, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOOTSTRAP_KEY, startTestService, type TestService } from '../../a-service.ts';
import type { Answer } from '../../send.ts';

const BODY_BYTES_MAX = 10_000;

let service: TestService;
beforeAll(
  async () => void (service = await startTestService({ env: { MAX_BODY_BYTES: String(BODY_BYTES_MAX) } })),
);
afterAll(() => service.stop());

const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
/** A valid request's body of exactly this many bytes. */
const bodyOf = (bytes: number) => {
  const start = JSON.stringify({ ...aRequest(), filler: '' }).slice(0, -2);
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
};
const codeOf = ({ json }: Answer) => {
  const answer = json as { type?: string; error?: { data: { problem?: { type: string } } } };
  return answer.type ?? answer.error?.data.problem?.type;
};

describe.each([
  '/requests/',
  '/trpc/requests.create',
  '/verification-output',
  '/trpc/verificationOutput.submit',
])('POST %s', (path) => {
  const lines = [`x-key: ${BOOTSTRAP_KEY}`, 'content-type: application/json'];

  // Before a byte of it is read.
  test('a body too large by its Content-Length is refused and the connection closed', async () => {
    const connection = aConnection(service.url);
    connection.write(head(`POST ${path}`, [...lines, `Content-Length: ${BODY_BYTES_MAX + 1}`]));
    const answer = await connection.answer();
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(codeOf(answer)).toBe(problemOf('payload_too_large').type);
    await connection.closed();
  });

  // The sender of 200 GB is answered after the first bytes beyond the limit.
  test('an endless body in chunks is refused and the connection closed', async () => {
    const connection = aConnection(service.url);
    connection.write(head(`POST ${path}`, [...lines, 'Transfer-Encoding: chunked']));
    connection.write(chunk);
    const answer = await connection.answer();
    expect(answer.status).toBe(413);
    expect(codeOf(answer)).toBe(problemOf('payload_too_large').type);
    expect(answer.headers).toMatchObject({ connection: 'close' });
    for (let index = 0; index < 50; index += 1) connection.write(chunk);
    expect((await connection.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  // A client that first writes everything must not get a reset before it reads the reason.
  test('a sender of megabytes still reads why', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 0x20);
    const answer = await service.ask('POST', path, { body });
    expect(answer.status).toBe(413);
  });
});

test('a body of just the bound is read, in chunks too', async () => {
  const body = bodyOf(BODY_BYTES_MAX);
  expect(Buffer.byteLength(body)).toBe(BODY_BYTES_MAX);
  expect((await service.ask('POST', '/requests/', { body })).status).toBe(200);
  const lines = [`x-key: ${BOOTSTRAP_KEY}`, 'Transfer-Encoding: chunked'];
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect((await exchange(service.url, head('POST /requests/', lines) + chunked)).status).toBe(200);
  expect((await service.ask('POST', '/requests/', { body: `${body} ` })).status).toBe(413);
});

// A body without a key is not read at all, however short.
test('without a key a body is refused before it has come', async () => {
  for (const path of ['/requests/', '/trpc/requests.create']) {
    const answer = await exchange(service.url, head(`POST ${path}`, ['Content-Length: 100']));
    expect(answer.status).toBe(401);
  }
});

test('a hundred refused senders leave no socket open', async () => {
  const openSockets = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const before = openSockets();
  const connections = Array.from({ length: 100 }, () => aConnection(service.url));
  for (const connection of connections) {
    connection.write(head('POST /verification-output', ['Transfer-Encoding: chunked']));
    connection.write(chunk);
  }
  await Promise.all(connections.map((connection) => connection.closed()));
  expect(await until('no more sockets are open than before', () => openSockets() <= before)).toBe(true);
});
