import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useService({ env: { ROLES: 'http' } });
// Without deliveries, which decide what may be called.

const path = (length: number) => `https://x.example/${'a'.repeat(length - 'https://x.example/'.length)}`;

/** Read as browsers read them. */
const rewritten = [
  ['http://①②⑦.⓪.⓪.①/', 'http://127.0.0.1/'],
  ['http://münchen.example/ü?ü#ü', 'http://xn--mnchen-3ya.example/%C3%BC?%C3%BC#%C3%BC'],
  ['http:\\\\x.example\\cb', 'http://x.example/cb'],
  [' http://x.example ', 'http://x.example/'],
];

/** Stored unchanged: delivery decides whether such an address may be called. */
const accepted = [
  'http://x.example',
  'HTTPS://X.EXAMPLE/CB',
  'https://user:pa%20ss@x.example:8443/cb?q=1#fragment',
  'http://localhost:3000/',
  'http://127.0.0.1',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]:80/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http:x.example',
  path(2_083),
];

const parsing = (reason: string) => ({ type: 'url_parsing', msg: `Input should be a valid URL, ${reason}` });
const scheme = { type: 'url_scheme', msg: "URL scheme should be 'http' or 'https'" };
const wrongType = { type: 'url_type', msg: 'URL input should be a string or URL' };

const refused: [value: unknown, fault: { type: string; msg: string }][] = [
  ['ftp://x.example', scheme],
  ['ws://x.example', scheme],
  ['mailto:a@b.example', scheme],
  ['javascript:alert(1)', scheme],
  ['file:///etc/passwd', scheme],
  ['data:text/plain,x', scheme],
  ['x.example/cb', parsing('relative URL without a base')],
  ['//x', parsing('relative URL without a base')],
  ['/cb', parsing('relative URL without a base')],
  ['not a url', parsing('relative URL without a base')],
  ['', parsing('input is empty')],
  ['https://', parsing('empty host')],
  ['https://x.example:99999', parsing('invalid port number')],
  ['https://256.1.1.1', parsing('invalid IPv4 address')],
  ['http://[::1', parsing('invalid IPv6 address')],
  [path(2_084), { type: 'url_too_long', msg: 'URL should have at most 2083 characters' }],
  [5, wrongType],
  [null, wrongType],
  [['https://x.example'], wrongType],
  [{ href: 'https://x.example' }, wrongType],
];

describe.each(transports)('over $name', (transport) => {
  test.each(accepted)('%s is taken and kept as it came', async (callback_url) => {
    const answer = await transport.call(service, 'requests.create', { ...aRequest({ callback_url }) });
    expect(answer.status).toBe(200);
    expect(transport.output<RequestModel>(answer).input.callback_url).toBe(callback_url);
  });

  test.each(rewritten)('%s, which is no URI, is taken as %s', async (callback_url, href) => {
    const answer = await transport.call(service, 'requests.create', { ...aRequest(), callback_url });
    expect(transport.output<RequestModel>(answer).input.callback_url).toBe(href);
  });

  test.each(refused)('%j is refused', async (callback_url, fault) => {
    const answer = await transport.call(service, 'requests.create', { ...aRequest(), callback_url });
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', 'callback_url'], ...fault }),
    ]);
  });
});
