import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressGuard, isLoopbackHost } from './address-guard.ts';

const production = createAddressGuard({ allowCidrs: [] });

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '168.63.129.15',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
])('a public address passes: %s', (address) => {
  expect(production.isAllowed(address)).toBe(true);
});

const FORBIDDEN_IPV4 = [
  '0.0.0.0', // connects to this machine on Linux
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200', // Alibaba's metadata
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16', // Azure's host agent
  '169.254.169.254', // metadata of AWS, Google, Azure
  '169.254.170.2', // credentials of ECS tasks
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192', // Oracle's metadata
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];

const hex = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)] as const;
};
const inverted = (address: string) =>
  hex(
    address
      .split('.')
      .map((octet) => 255 - Number(octet))
      .join('.'),
  ).join(':');

describe.each(FORBIDDEN_IPV4)('%s', (address) => {
  const [high, low] = hex(address);
  test.each([
    ['itself', address],
    ['IPv4-mapped', `::ffff:${address}`],
    ['IPv4-mapped in hex', `::ffff:${high}:${low}`],
    ['IPv4-translated', `::ffff:0:${high}:${low}`],
    ['IPv4-compatible', `::${high}:${low}`],
    ['NAT64', `64:ff9b::${high}:${low}`],
    ['local NAT64', `64:ff9b:1::${high}:${low}`],
    ['6to4', `2002:${high}:${low}::1`],
    ['Teredo server', `2001:0:${high}:${low}::808:808`],
    ['Teredo client', `2001:0:808:808:0:0:${inverted(address)}`],
    ['ISATAP', `2606:4700::5efe:${high}:${low}`],
  ])('is refused as %s, even when the operator opened all of IPv6', (form, text) => {
    expect(production.isAllowed(text)).toBe(false);
    const isUnspecified = form === 'IPv4-compatible' && address === '0.0.0.0'; // that is ::, opened explicitly
    expect(createAddressGuard({ allowCidrs: ['::/0'] }).isAllowed(text)).toBe(isUnspecified);
  });
});

test.each([
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254', // AWS's metadata over IPv6
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '4000::1', // not allocated by IANA
  '64:ff9b::808:808', // even with a public address inside: an operator with NAT64 opens 64:ff9b::/96
  'localhost',
  '',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '127.0.0.1 ',
  '[::1]',
  '8.8.8.8/32',
])('is refused: "%s"', (text) => {
  expect(production.isAllowed(text)).toBe(false);
});

test('refuses every address of a private network and passes every one that an entry opens', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const open = createAddressGuard({ allowCidrs: ['10.0.0.0/8'] });
  fc.assert(
    fc.property(octet, octet, octet, (b, c, d) => {
      expect(production.isAllowed(`10.${b}.${c}.${d}`)).toBe(false);
      expect(open.isAllowed(`10.${b}.${c}.${d}`)).toBe(true);
      expect(open.isAllowed(`::ffff:10.${b}.${c}.${d}`)).toBe(true);
      expect(open.isAllowed(`192.168.${c}.${d}`)).toBe(false);
    }),
  );
});

test('opens NAT64 to the operator who lists it, for public addresses inside and no others', () => {
  const guard = createAddressGuard({ allowCidrs: ['64:ff9b::/96'] });
  expect(guard.isAllowed('64:ff9b::808:808')).toBe(true);
  expect(guard.isAllowed('64:ff9b::a9fe:a9fe')).toBe(false);
});

test('reads an IPv4-mapped entry as the IPv4 network it is', () => {
  expect(createAddressGuard({ allowCidrs: ['::ffff:10.0.0.0/104'] }).isAllowed('10.1.2.3')).toBe(true);
});

test.each([
  ['10.0.0.0', /"10\.0\.0\.0" is not a CIDR; .* for example 10\.20\.0\.0\/16/],
  ['10.0.0.0/33', /not a CIDR/],
  ['10/8', /not a CIDR/],
  ['010.0.0.0/8', /not a CIDR/],
  ['10.0.0.0/08', /not a CIDR/],
  ['10.0.0.0/255.0.0.0', /not a CIDR/],
  ['::1/129', /not a CIDR/],
  ['fe80::1%eth0/128', /not a CIDR/],
  ['localhost/8', /not a CIDR/],
  ['', /not a CIDR/],
  [' 10.0.0.0/8', /not a CIDR/],
  ['10.0.0.5/8', /write 10\.0\.0\.0\/8 .* or 10\.0\.0\.5\/32/],
  ['fd00::1/8', /write fd00::\/8 .* or fd00::1\/128/],
])('refuses the entry "%s" at the start', (entry, message) => {
  expect(() => createAddressGuard({ allowCidrs: ['127.0.0.0/8', entry] })).toThrow(message);
});

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::ffff:127.0.0.1',
  '::FFFF:7f00:1',
  'localhost',
  'LOCALHOST',
  'localhost.',
])('%s is loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

// A host wrongly taken for loopback would expose a laptop's trust to the world.
test.each([
  '0.0.0.0',
  '0',
  '::',
  '128.0.0.1',
  '126.255.255.255',
  '10.0.0.1',
  '192.168.1.2',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::2',
  'fe80::1',
  'localhost.example',
  'notlocalhost',
  '127.0.0.1.example',
  'x@127.0.0.1',
  '10.0.0.1#localhost',
  'localhost:3000',
  'localhost/x',
  ' ',
  '',
  'host.docker.internal',
])('%s is not', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
