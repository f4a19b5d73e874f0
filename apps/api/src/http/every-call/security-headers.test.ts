import { expect, test } from 'vitest';
import { aKoaServer } from '../../../test/a-koa-server.ts';
import { setSecurityHeaders } from './security-headers.ts';

// Without it an answer with a patient's data could be kept, sniffed or framed.
test('every answer has the headers, unless what answers says otherwise', async () => {
  const url = await aKoaServer(setSecurityHeaders, (koa) => {
    if (koa.path === '/script.js') koa.set('cache-control', 'public, max-age=3600');
    koa.body = 'done';
  });
  const { headers } = await fetch(url);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect((await fetch(`${url}/script.js`)).headers.get('cache-control')).toBe('public, max-age=3600');
});
