import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveHost } from './resolve-host.ts';
import { startDnsServer } from './testing/start-dns-server.ts';

async function aHostsFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  await writeFile(path, text);
  return path;
}

test('returns all addresses of both families', async () => {
  await using dns = await startDnsServer(() => ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  const addresses = await resolveHost('h.test', { dnsServers: [dns.address], timeoutMs: 3000 });
  expect(addresses).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.2']);
});

test('continues with one family when the other has no answer, as broken AAAA servers are common', async () => {
  await using dns = await startDnsServer((_name, family) => (family === 6 ? 'nxdomain' : ['192.0.2.1']));
  expect(await resolveHost('h.test', { dnsServers: [dns.address], timeoutMs: 3000 })).toEqual(['192.0.2.1']);
});

test.each(['nxdomain', 'silent'] as const)('fails as dns_failed when the answer is %s', async (answer) => {
  await using dns = await startDnsServer(() => answer);
  const failure = resolveHost('h.test', { dnsServers: [dns.address], timeoutMs: 300 });
  await expect(failure).rejects.toMatchObject({ outcome: 'dns_failed' });
});

test('a name in the hosts file is taken from there, in any case, with every address, and DNS is not asked', async () => {
  await using dns = await startDnsServer(() => ['192.0.2.1']);
  const hostsFile = await aHostsFile(
    '# 192.0.2.9 receiver\n\n127.0.0.1\tlocalhost\r\n10.0.0.7   Receiver receiver.lan # compose\nfd00::7 receiver\nnonsense receiver\n',
  );
  const options = { dnsServers: [dns.address], timeoutMs: 3000, hostsFile };
  expect(await resolveHost('receiver', options)).toEqual(['10.0.0.7', 'fd00::7']);
  expect(await resolveHost('receiver.lan', options)).toEqual(['10.0.0.7']);
  expect(dns.queries).toEqual([]);
  expect(await resolveHost('other', options)).toEqual(['192.0.2.1']);
});

test('a missing hosts file is an empty one', async () => {
  await using dns = await startDnsServer(() => ['192.0.2.1']);
  const options = { dnsServers: [dns.address], timeoutMs: 3000, hostsFile: '/nonexistent/hosts' };
  expect(await resolveHost('h.test', options)).toEqual(['192.0.2.1']);
});
