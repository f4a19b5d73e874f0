import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../test/listen.ts';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import { createGuardedConnector } from './connect.ts';
import { startDnsServer } from './testing/start-dns-server.ts';

interface Target {
  hostname: string;
  port: number;
  protocol?: string;
}

function connectTo(
  { hostname, port, protocol = 'http:' }: Target,
  guard: AddressGuard,
  dnsServers?: string[],
): Promise<Socket> {
  const connector = createGuardedConnector({ guard, connectTimeoutMs: 1000, dnsServers });
  return new Promise((resolve, reject) =>
    connector({ hostname, protocol, port: String(port) }, (err, socket) =>
      err === null ? resolve(socket) : reject(err),
    ),
  );
}

const loopback = createAddressGuard({ allowCidrs: ['127.0.0.0/8', '::1/128'] });

test.each(['http:', 'https:'])(
  'looks at the peer again once connected, and sends it nothing when it is refused: %s',
  async (protocol) => {
    const received: Buffer[] = [];
    await using server = await listen(
      createServer((socket) => socket.on('data', (data) => received.push(data))),
    );
    // Simulates anything that makes the kernel connect to an address outside the list.
    const answers = [true, false];
    const changingItsMind = { isAllowed: () => answers.shift() ?? false };
    const connection = connectTo({ hostname: '127.0.0.1', port: server.port, protocol }, changingItsMind);
    await expect(connection).rejects.toMatchObject({ outcome: 'blocked_address' });
    await expect.poll(server.accepted).toBe(1);
    await expect.poll(server.open).toBe(0);
    expect(received).toEqual([]);
  },
);

test('connects to the addresses that were checked: one resolution, never a second', async () => {
  await using server = await listen(createServer());
  await using dns = await startDnsServer(() => ['127.0.0.1']);
  const socket = await connectTo({ hostname: 'h.test', port: server.port }, loopback, [dns.address]);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(dns.queries).toEqual(['h.test', 'h.test']); // A and AAAA
  socket.destroy();
});

test('tries the next address when the first refuses', async () => {
  await using server = await listen(createServer());
  await using dns = await startDnsServer(() => ['127.0.0.3', '127.0.0.2', '127.0.0.1']);
  const socket = await connectTo({ hostname: 'h.test', port: server.port }, loopback, [dns.address]);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test.each(['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost'])(
  'reaches %s when only one of its two addresses is opened, and without asking DNS',
  async (hostname) => {
    await using server = await listen(createServer());
    await using dns = await startDnsServer(() => ['192.0.2.1']);
    const guard = createAddressGuard({ allowCidrs: ['127.0.0.1/32'] });
    const socket = await connectTo({ hostname, port: server.port }, guard, [dns.address]);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(dns.queries).toEqual([]);
    socket.destroy();
  },
);

test('a peer that accepts and then says nothing to the TLS hello is a time-out, and its socket is closed', async () => {
  await using server = await listen(createServer((socket) => socket.resume()));
  const connection = connectTo({ hostname: '127.0.0.1', port: server.port, protocol: 'https:' }, loopback);
  await expect(connection).rejects.toMatchObject({ outcome: 'timeout' });
  await expect.poll(server.open).toBe(0);
});

test('a name server that never answers ends as dns_failed, before the time to connect is over', async () => {
  await using dns = await startDnsServer(() => 'silent');
  const connection = connectTo({ hostname: 'h.test', port: 1 }, loopback, [dns.address]);
  await expect(connection).rejects.toMatchObject({ outcome: 'dns_failed' });
});
