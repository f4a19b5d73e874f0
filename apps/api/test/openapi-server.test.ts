import { expect, test } from 'vitest';
import { aService, useService } from './a-service.ts';

const service = useService({ env: { ROLES: 'http' } });

const serversOf = (json: unknown) => (json as { servers: readonly { url: string }[] }).servers;

// Broke: generated clients of a document whose only server was "/" had no host to call.
test.each<[what: string, headers: Record<string, string>]>([
  ['its own name', {}],
  ['another name', { host: 'verify.example:8443' }],
  ['a proxy', { host: 'api', 'x-forwarded-host': 'verify.example', 'x-forwarded-proto': 'https' }],
])('on one machine the server is its own address, asked for by %s', async (_, headers) => {
  const answer = await service.ask('GET', '/openapi.json', { headers, key: null });
  expect(serversOf(answer.json)).toMatchObject([{ url: service.url }]);
  expect([answer.headers['cache-control'], answer.headers['vary']]).toEqual([
    'private, max-age=300',
    'accept-encoding',
  ]);
});

test.each([
  ['PUBLIC_URL', { PUBLIC_URL: 'https://verify.example/' }, 'https://verify.example'],
  ['where it was read, without PUBLIC_URL', { HOST: '0.0.0.0' }, '/'],
])('for others the server is %s', async (_, env, url) => {
  const other = await aService({ env: { ROLES: 'http', ...env } });
  const port = new URL(other.url).port;
  const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
  expect(serversOf(await answer.json())).toMatchObject([{ url }]);
});

// Without it 25 calls a second with names of their own slow every create to seconds: each name had a document compressed.
test('whatever name it is asked for by, it is one document', async () => {
  const ask = async (host: string) => {
    const headers = { host, 'x-forwarded-host': host, 'accept-encoding': 'br' };
    const answer = await service.ask('GET', '/openapi.json?for=verifier', { headers, key: null });
    return [answer.status, answer.headers['etag'], answer.headers['vary']];
  };
  const names = Array.from({ length: 40 }, (_, number) => `${number}.example`);
  const answers = await Promise.all(names.map(ask));
  expect(new Set(answers.map(String)).size).toBe(1);
  expect(answers[0]).toEqual([200, expect.stringMatching(/-br"$/), 'accept-encoding']);
});
