import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startDnsServer, type DnsAnswer } from '../src/testing/start-dns-server.ts';
import { listen } from './listen.ts';
import { aSender, post } from './senders.ts';

const answering = () => createServer((_req, res) => void res.writeHead(200, { connection: 'close' }).end());

/** Spellings that `new URL()`, the kernel or a translator turns into this machine or a machine beside it. */
const TRICKS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0.0.0x1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '１２７．０．０．１',
  '%31%32%37.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'sub.localhost',
  'ⓛocalhost',
  'user:pass@127.0.0.1',
  'public.example@127.0.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[fe80::1%25lo]',
];

test.each(TRICKS)('http://%s/ is blocked, over http and https, without one connection', async (host) => {
  await using listener = await listen(answering());
  await using sender = aSender({ allowCidrs: [] });
  const schemes = ['http', 'https'];
  const results = await Promise.all(
    schemes.map((scheme) => post(sender, `${scheme}://${host}:${listener.port}/`)),
  );
  const blocked = { outcome: 'blocked_address', statusCode: null, responseSnippet: null };
  expect(results).toMatchObject([blocked, blocked]);
  expect(listener.accepted()).toBe(0);
});

test.each(['127.1', '2130706433', '0x7f.1', '①②⑦.⓪.⓪.①', '[::ffff:7f00:1]', 'localhost'])(
  'http://%s/ does reach this machine once loopback is opened, so the refusals above are the guard and not the spelling',
  async (host) => {
    await using listener = await listen(answering());
    await using sender = aSender();
    expect(await post(sender, `http://${host}:${listener.port}/`)).toMatchObject({ outcome: 'succeeded' });
  },
);

/**
 * In these tests 127.0.0.2 stands for a public address and 127.0.0.1 for a private one; nothing leaves the
 * machine.
 */
const openTo = (dnsAddress: string) =>
  aSender({ allowCidrs: ['127.0.0.2/32'], dnsServers: [dnsAddress], connectTimeoutMs: 500 });

test.each<[string, DnsAnswer]>([
  ['a private address', ['127.0.0.1']],
  ['a public and then a private address', ['127.0.0.2', '127.0.0.1']],
  ['a private and then a public address', ['127.0.0.1', '127.0.0.2']],
  ['a public IPv4 and a private IPv6 address', ['127.0.0.2', '::1']],
  ['a public IPv4 and a mapped private address', ['127.0.0.2', '::ffff:127.0.0.1']],
  ['metadata', ['169.254.169.254']],
])('a name that resolves to %s is blocked', async (_what, answer) => {
  await using listener = await listen(answering());
  await using dns = await startDnsServer(() => answer);
  await using sender = openTo(dns.address);
  expect(await post(sender, `http://rebind.test:${listener.port}/`)).toMatchObject({
    outcome: 'blocked_address',
  });
  expect(listener.accepted()).toBe(0);
});

test('a name that turns private after its first answer is blocked from the next connection on', async () => {
  await using listener = await listen(answering());
  let answer = ['127.0.0.2'];
  await using dns = await startDnsServer(() => answer);
  await using sender = openTo(dns.address);
  const url = `http://rebind.test:${listener.port}/`;
  // Nobody listens at the stand-in for the public address; that it was tried is all that matters here.
  expect((await post(sender, url)).outcome).toMatch(/connection_failed|timeout/);
  answer = ['127.0.0.1'];
  expect(await post(sender, url)).toMatchObject({ outcome: 'blocked_address' });
  expect(listener.accepted()).toBe(0);
});

test('a name that changes its answer between two queries cannot slip between the check and the connection', async () => {
  await using listener = await listen(answering());
  let queries = 0;
  await using dns = await startDnsServer((_name, family) => {
    if (family === 6) return [];
    queries += 1;
    return queries % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.1'];
  });
  await using sender = openTo(dns.address);
  const url = `http://flip.test:${listener.port}/`;
  await Promise.all(Array.from({ length: 10 }, () => post(sender, url)));
  expect(queries).toBe(10);
  expect(listener.accepted()).toBe(0);
});

test('a name that resolves nowhere is dns_failed, not blocked', async () => {
  await using dns = await startDnsServer(() => 'nxdomain');
  await using sender = openTo(dns.address);
  expect(await post(sender, 'http://gone.test/')).toMatchObject({ outcome: 'dns_failed', statusCode: null });
});
