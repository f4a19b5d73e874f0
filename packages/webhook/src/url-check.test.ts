import { expect, test } from 'vitest';
import { createUrlCheck } from './url-check.ts';

const production = createUrlCheck({ allowCidrs: [], httpsOnly: true });
const laptop = createUrlCheck({ allowCidrs: ['127.0.0.0/8', '::1/128'], httpsOnly: false });

test.each([
  ['https://clinic.example/cb', null],
  ['https://8.8.8.8/cb', null],
  ['https://10.0.0.1.example/', null], // a name: only a look-up can decide
  ['https://notlocalhost/', null],
  ['http://clinic.example/cb', 'not_https'],
  ['ftp://clinic.example/cb', 'not_https'],
  ['no address', 'not_https'],
  ['https://10.0.0.1/', 'blocked_address'],
  ['https://127.1/', 'blocked_address'],
  ['https://2130706433/', 'blocked_address'],
  ['https://①②⑦.⓪.⓪.①/', 'blocked_address'],
  ['https://user:pw@[::1]:8443/', 'blocked_address'],
  ['https://[::ffff:169.254.169.254]/', 'blocked_address'],
  ['https://LOCALHOST./', 'blocked_address'],
  ['https://a.localhost/', 'blocked_address'],
  ['https://clinic.example:0/', 'no_port'],
  ['https://8.8.8.8:00/', 'no_port'],
])('in production %s: %s', (url, refusal) => {
  expect(production(url)).toBe(refusal);
});

test.each([
  ['http://127.0.0.1:4000/verified', null],
  ['http://localhost:4000/verified', null],
  ['http://10.0.0.1/', 'blocked_address'],
  ['http://169.254.169.254/latest/meta-data/', 'blocked_address'],
  ['http://127.0.0.1:0/', 'no_port'],
])('on a laptop %s: %s', (url, refusal) => {
  expect(laptop(url)).toBe(refusal);
});

test('one opened address of this machine is enough for its name', () => {
  expect(createUrlCheck({ allowCidrs: ['127.0.0.1/32'], httpsOnly: false })('http://localhost/')).toBeNull();
});
