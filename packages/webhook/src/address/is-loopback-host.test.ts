import { expect, test } from 'vitest';
import { isLoopbackHost } from './is-loopback-host.ts';

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
