import { expect, test } from 'vitest';
import { httpUrl } from './http-url.ts';

test.each([
  'HTTPS://User:Pass@X.Example:443/a/../b?c#d',
  'http://127.1/',
  'http://169.254.169.254/latest',
  'http://[::ffff:127.0.0.1]:80',
  'http://x.example/a%20b;c=d,e:@?q=/?#/?',
  'http:x.example',
  'http:/x.example/',
  'http:///x.example',
  'https://us%40er:@x_y.example:/',
])('keeps %j, which is a URI, as it came; whether it may be called is decided later', (address) => {
  expect(httpUrl().parse(address)).toBe(address);
});

test.each([
  ['http://x.example/ü', 'http://x.example/%C3%BC'],
  ['http://x.example/a b', 'http://x.example/a%20b'],
  ['http:\\\\x.example\\a', 'http://x.example/a'],
  [' https://x.example/ ', 'https://x.example/'],
  ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
  ['http://①②⑦.⓪.⓪.①/', 'http://127.0.0.1/'],
  ['http://x.example/\ta\n', 'http://x.example/a'],
  ['http://x.example/"<>', 'http://x.example/%22%3C%3E'],
  ['http://a@b@x.example/', 'http://a%40b@x.example/'],
])('%j, which is not an address, becomes %s', (address, href) => {
  expect(httpUrl().parse(address)).toBe(href);
  expect(httpUrl().parse(href)).toBe(href);
});

test('what would be too long as a URI stays as it came', () => {
  const address = `https://x.example/${'ü'.repeat(500)}`;
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
