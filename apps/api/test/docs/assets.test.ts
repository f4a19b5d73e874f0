import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';

const service = useService({ env: { ROLES: 'http' } });

/** Uses fetch, which decompresses and leaves the headers unchanged. */
const get = (path: string, headers: Record<string, string>) => fetch(`${service.url}${path}`, { headers });

// Without it each first visit loads 4.35 MB: on a slow line the reference would stay blank for a minute.
test.each([
  ['gzip, deflate, br, zstd', 'br', 1_200_000],
  ['gzip', 'gzip', 1_400_000],
  ['br;q=0, gzip', 'gzip', 1_400_000],
  ['identity', null, 6_000_000],
])('the bundle goes to a client that accepts %s in %s', async (accepted, encoding, bytesMax) => {
  const plain = await (await get('/docs/scalar.js', { 'accept-encoding': 'identity' })).text();
  const answer = await get('/docs/scalar.js', { 'accept-encoding': accepted });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(bytesMax);
  expect((await answer.text()) === plain).toBe(true);
  expect(plain.length).toBeGreaterThan(4_000_000);
});

test.each(['/docs/scalar.js', '/docs/start.js', '/favicon.ico'])(
  'who has %s gets 304, only in its encoding',
  async (path) => {
    const ask = (headers: Record<string, string>) => service.ask('GET', path, { key: null, headers });
    const etag = String((await ask({ 'accept-encoding': 'br' })).headers['etag']);
    expect(etag).toMatch(/^"[\w-]{22}-br"$/);
    // As fetch sends an ETag: `no-cache` asks the caches on the way to validate, and a 304 does.
    const again = await ask({
      'accept-encoding': 'br',
      'if-none-match': `"other", W/${etag}`,
      'cache-control': 'no-cache',
    });
    expect(again).toMatchObject({
      status: 304,
      text: '',
      headers: { etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=3600' },
    });
    expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200);
  },
);

test('a HEAD answers the length that a GET sends', async () => {
  const headers = { 'accept-encoding': 'br' };
  const got = await get('/docs/scalar.js', headers);
  await got.arrayBuffer();
  const head = await fetch(`${service.url}/docs/scalar.js`, { method: 'HEAD', headers });
  expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
});

test.each(['/docs', '/docs/'])('%s is the reference', async (path) => {
  const answer = await get(path, {});
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('<script src="/docs/scalar.js">');
});
