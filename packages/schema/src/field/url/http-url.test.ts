import { expect, test } from 'vitest';
import { httpUrl } from './http-url.ts';

test.each([
  'HTTPS://User:Pass@X.Example:443/a/../b?c#d',
  'http:\\\\x.example\\a',
  ' https://x.example/ ',
  'http://127.1/',
  'http://169.254.169.254/latest',
  'https://münchen.example/ä',
])('keeps %j as it came; whether it may be called is decided later', (address) => {
  expect(httpUrl().parse(address)).toBe(address);
});

test('counts characters, not bytes or UTF-16 units', () => {
  const start = 'https://x.example/';
  const address = start + '😀'.repeat(2083 - start.length);
  expect(httpUrl().parse(address)).toBe(address);
  expect(httpUrl().safeParse(`${address}a`).error?.issues).toMatchObject([
    { params: { type: 'url_too_long' } },
  ]);
});
