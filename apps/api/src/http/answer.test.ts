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

// Koa, tRPC's door and the cookies of a sign-in set and read headers through these.
test('headers are read, added to and taken back by any case of their names', async () => {
  const url = await aKoaServer((koa) => {
    koa.set({ ETag: '"1"', Vary: 'origin' });
    koa.append('Set-Cookie', 'a=1');
    koa.append('set-cookie', 'b=2');
    koa.res.appendHeader('x-path', ['one']).appendHeader('X-Path', 'two');
    koa.res.setHeaders(new Map([['x-count', 3]]));
    koa.remove('vary');
    koa.body = {
      ...koa.response.headers,
      names: koa.res.getHeaderNames(),
      hasVary: koa.res.hasHeader('Vary'),
    };
  });
  const answer = await fetch(url);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(answer.headers.get('x-path')).toBe('one, two');
  expect(answer.headers.get('vary')).toBeNull();
  expect(await answer.json()).toEqual({
    etag: '"1"',
    'set-cookie': ['a=1', 'b=2'],
    'x-path': ['one', 'two'],
    'x-count': 3,
    names: ['etag', 'set-cookie', 'x-path', 'x-count'],
    hasVary: false,
  });
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
