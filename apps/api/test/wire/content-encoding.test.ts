import { gzipSync } from 'node:zlib';
import { problemOf } from '@insurance-verification/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRequest } from '../a-request.ts';
import { startTestService, type TestService } from '../a-service.ts';

let service: TestService;
beforeAll(async () => void (service = await startTestService()));
afterAll(() => service.stop());

const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
const paths = ['/requests/', '/verification-output', '/trpc/requests.create', '/trpc/verificationOutput.submit'];

// Bodies are never inflated, so none can grow in memory.
test.each(paths)('POST %s refuses encoded bodies and says what it takes', async (path) => {
  for (const [encoding, body] of [
    ['gzip', bomb],
    ['GZIP', gzipSync('{}')],
    ['br', Buffer.from('{}')],
    ['identity, gzip', Buffer.from('{}')],
    ['miracle', Buffer.from('{}')],
    ['', Buffer.from('{}')],
  ] as const) {
    const answer = await service.ask('POST', path, { body, headers: { 'content-encoding': encoding } });
    expect({ encoding, json: answer.json }).toEqual({ encoding, json: problemOf('unsupported_content_encoding') });
    expect(answer.status).toBe(415);
    expect(answer.headers).toMatchObject({ 'accept-encoding': 'identity', connection: 'close' });
  }
});

test('identity is no encoding', async () => {
  const headers = { 'content-encoding': 'Identity' };
  expect((await service.ask('POST', '/requests/', { body: aRequest(), headers })).status).toBe(200);
});
