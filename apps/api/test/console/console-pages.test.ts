import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';

const service = useService({ env: { ROLES: 'http' } });

const get = (path: string, headers: Record<string, string> = {}) =>
  service.ask('GET', path, { key: null, headers });

test('until it is opened there is no console, and no link to one', async () => {
  expect((await get('/console')).status).toBe(404);
  expect((await get('/', { accept: 'text/html' })).text).not.toContain('/console');
  expect((await get('/')).text).not.toContain('/console');
});

test('opened, every address of its pages is the one page, which no cache keeps', async () => {
  await service.openConsole();
  for (const path of ['/console', '/console/', '/console/work/req_1', '/console/nowhere']) {
    const page = await get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  }
  expect((await get('/', { accept: 'text/html' })).text).toContain('href="/console"');
  expect(JSON.parse((await get('/')).text)).toMatchObject({ console: '/console' });
});

// The last line of defence against markup in a payer's text or a patient's name.
test('its policy lets nothing in, and no text become script', async () => {
  const { headers } = await get('/console');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
});

test('its files keep for ever, in the smallest encoding that is taken', async () => {
  const { text } = await get('/console');
  const [script = ''] = /\/console\/assets\/[^"]+\.js/.exec(text) ?? [];
  const sizes = new Map<string, number>();
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { status, headers } = await get(script, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(headers['content-encoding']).toBe(encoding);
    sizes.set(accepted, Number(headers['content-length']));
  }
  expect([...sizes.values()]).toEqual([...sizes.values()].toSorted((a, b) => a - b));
});

test.each(['/console/assets/none.js', '/console/assets/..%2findex.html', '/console/api/none', '/consoles'])(
  '%s is nothing',
  async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json']);
  },
);

test('a page takes no POST', async () => {
  const answer = await service.ask('POST', '/console/work', { key: null });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'HEAD, GET']);
});
