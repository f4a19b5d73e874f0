import { expect, test } from 'vitest';
import { aKoaServer } from '../../test/a-koa-server.ts';

// Without it an answer with a patient's data could be kept, sniffed or framed.
test('every answer has the security headers, unless what answers says otherwise', async () => {
  const url = await aKoaServer((koa) => {
    if (koa.path === '/script.js') koa.set('Cache-Control', 'public, max-age=3600');
    koa.body = 'done';
  });
  const { headers } = await fetch(url);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect((await fetch(`${url}/script.js`)).headers.get('cache-control')).toBe('public, max-age=3600');
});

// A value with a line break would let whoever wrote it add headers of their own.
test('a value that HTTP forbids is not sent, and the call gets a 500', async () => {
  const url = await aKoaServer((koa) => {
    koa.set('x-name', 'one\r\nset-cookie: a=1');
    koa.body = 'done';
  });
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('x-name'), answer.headers.getSetCookie()]).toEqual([
    500,
    null,
    [],
  ]);
});
