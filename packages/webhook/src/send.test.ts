import { expect, test } from 'vitest';
import { requestTarget } from './send.ts';

const authorizationOf = (userinfo: string) => {
  const value = requestTarget(`https://${userinfo}@h.example/`, true)?.authorization;
  return value == null ? null : Buffer.from(value.replace('Basic ', ''), 'base64').toString();
};

test('takes path and query, leaves fragment and userinfo out of both origin and path', () => {
  expect(requestTarget('https://u:p@h.example:8443/a%20b/?q=1&r=%C3%A9#f', true)).toEqual({
    origin: 'https://h.example:8443',
    path: '/a%20b/?q=1&r=%C3%A9',
    authorization: 'Basic dTpw',
  });
});

test.each([
  ['u', 'u:'],
  [':p', ':p'],
  ['u%40x:p%3Aq%2F', 'u@x:p:q/'],
  ['%C3%A9:%E2%82%AC', 'é:€'],
  ['50%:x', '50%:x'],
  ['a:b:c', 'a:b:c'],
  ['u%0d%0aX-Evil:1', 'u\r\nX-Evil:1'], // inside base64, so no second header
])('userinfo "%s" authenticates as "%s"', (userinfo, decoded) => {
  expect(authorizationOf(userinfo)).toBe(decoded);
});

test.each([
  'ftp://h/',
  'file:///etc/passwd',
  'javascript:1',
  'not a url',
  '',
  'http://[fe80::1%25eth0]/',
  'http://1.2.3.4.5/',
  'http://h.example:0/', // undici would take the scheme's own port
])('may not be called: "%s"', (url) => {
  expect(requestTarget(url, false)).toBe(null);
});

test('http is called only where the operator allows it', () => {
  expect(requestTarget('http://h.example/', true)).toBe(null);
  expect(requestTarget('http://h.example/', false)?.origin).toBe('http://h.example');
});
