import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../test/send.ts';
import { addressOf, clientOf, readNetworks } from './client-address.ts';
const loopback = readNetworks(['127.0.0.0/8', '::1/128']);
let trusted = loopback;
const server = createServer((req, res) => res.end(JSON.stringify(addressOf(req, trusted))));
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

const seen = async (headers: Record<string, string>) => (await send('GET', url, { headers })).json;

test.each([
  [{}, '127.0.0.1'],
  [{ 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '10.0.0.1, 198.51.100.1,203.0.113.7' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '203.0.113.7:4711' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
  [{ 'x-forwarded-for': '::ffff:203.0.113.7' }, '203.0.113.7'],
  [{ forwarded: 'for=198.51.100.1;proto=https, for=203.0.113.7;by=10.0.0.1' }, '203.0.113.7'],
  [{ forwarded: 'proto=https;For="[2001:db8:cafe::17]:4711"' }, '2001:db8:cafe::17'],
  [{ forwarded: 'for="198.51.100.1;x=", for=203.0.113.7' }, '203.0.113.7'],
  [{ forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
])('of a trusted proxy that says %o the client is %s', async (headers, address) => {
  trusted = loopback;
  expect(await seen(headers)).toBe(address);
});

// Broke: behind two proxies every client had the address of the inner one, and with it one budget.
test.each([
  [{ 'x-forwarded-for': '203.0.113.7, 10.0.0.2' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.0.0.3, 10.0.0.2' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '198.51.100.1,203.0.113.7:80 , [::ffff:10.0.0.2]:4711' }, '203.0.113.7'],
  [{ 'x-forwarded-for': '10.9.9.9, 203.0.113.7, 127.0.0.1' }, '203.0.113.7'],
  [{ forwarded: 'for=198.51.100.1, for="203.0.113.7:1";proto=https, for=10.0.0.2' }, '203.0.113.7'],
  [
    { forwarded: 'for=203.0.113.7, for=10.0.0.2', 'x-forwarded-for': '198.51.100.1, 203.0.113.7,10.0.0.2' },
    '203.0.113.7',
  ],
  // A client within a trusted network, as of a health check.
  [{ 'x-forwarded-for': '10.0.0.9, 10.0.0.2' }, '10.0.0.9'],
  [{ 'x-forwarded-for': 'unknown, 10.0.0.2' }, null],
  [{ 'x-forwarded-for': '203.0.113.7, , 10.0.0.2' }, null],
  [{ forwarded: 'for=203.0.113.7, for=_gateway, for=10.0.0.2' }, null],
  [{ forwarded: 'for=198.51.100.1, for=10.0.0.2', 'x-forwarded-for': '203.0.113.7, 10.0.0.2' }, null],
])('of several trusted proxies that say %o the client is %s', async (headers, address) => {
  trusted = readNetworks(['127.0.0.0/8', '10.0.0.0/8']);
  expect(await seen(headers)).toBe(address);
});

// Without it a client whose proxy writes one header could write the other one itself.
test.each([
  { forwarded: 'for=198.51.100.1', 'x-forwarded-for': '203.0.113.7' },
  { forwarded: 'for=unknown' },
  { forwarded: 'for=_hidden, for=_gateway' },
  { forwarded: 'proto=https' },
  { 'x-forwarded-for': 'not an address' },
  { 'x-forwarded-for': '203.0.113.7, ' },
  { 'x-forwarded-for': ',,,,,' },
])('of a trusted proxy that says %o the client is unknown', async (headers) => {
  trusted = loopback;
  expect(await seen(headers)).toBeNull();
});

// Without it any client would choose whose budget it uses and which networks it is in.
test('from anyone else both headers are ignored', async () => {
  for (const networks of [[], ['10.0.0.0/8', '2001:db8::/32']]) {
    trusted = readNetworks(networks);
    expect(await seen({ forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.8' })).toBe('127.0.0.1');
  }
});

test('a budget counts an IPv4 address, a whole /64, or all unknown clients', () => {
  expect(clientOf('203.0.113.7')).toBe('203.0.113.7');
  expect(clientOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(clientOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::');
  expect(clientOf('2001:db8:1:2:ffff::')).toBe('2001:db8:1:2::');
  expect(clientOf(null)).toBe('unknown');
});
