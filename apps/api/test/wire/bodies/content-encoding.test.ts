import { gzipSync } from 'node:zlib';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { useService } from '../../a-service.ts';
import { transports } from '../../transports.ts';

const service = useService();

const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
const calls = transports.flatMap((transport) =>
  (transport.name === 'REST'
    ? ['/requests/', '/verification-output']
    : ['/trpc/requests.create', '/trpc/verificationOutput.submit']
  ).map((path) => ({ transport, path })),
);

// Bodies are never decompressed, so none can grow in memory.
test.each(calls)('POST $path refuses encoded bodies and says what it takes', async ({ transport, path }) => {
  for (const [encoding, body] of [
    ['gzip', bomb],
    ['GZIP', gzipSync('{}')],
    ['br', Buffer.from('{}')],
    ['identity, gzip', Buffer.from('{}')],
    ['miracle', Buffer.from('{}')],
    ['', Buffer.from('{}')],
  ] as const) {
    const answer = await service.ask('POST', path, { body, headers: { 'content-encoding': encoding } });
    expect({ encoding, json: answer.json }).toEqual({
      encoding,
      json: transport.problem('unsupported_content_encoding'),
    });
    expect(answer.status).toBe(415);
    expect(answer.headers).toMatchObject({ 'accept-encoding': 'identity', connection: 'close' });
  }
});

test('identity is no encoding', async () => {
  const headers = { 'content-encoding': 'Identity' };
  expect((await service.ask('POST', '/requests/', { body: aRequest(), headers })).status).toBe(200);
});
