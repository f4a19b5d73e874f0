import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SwallowingProxy {
  /** The same database through the proxy. */
  readonly connectionString: string;
  /** From now on, silently drops the bytes of existing connections, as on half-open ones. */
  swallow(): void;
  /** Closes those connections. */
  cut(): void;
  /** Directs new connections to another server. */
  leadTo(connectionString: string): void;
}

/** A TCP proxy in front of the database that can go silent; removed after the test. */
export async function aSwallowingProxy(connectionString: string): Promise<SwallowingProxy> {
  let target = new URL(connectionString);
  const swallowed = new WeakSet<net.Socket>();
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    open.add(client);
    client.on('data', (bytes) => void (swallowed.has(client) || upstream.write(bytes)));
    upstream.on('data', (bytes) => void (swallowed.has(client) || client.write(bytes)));
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const client of open) client.destroy();
    server.close();
  });
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: through.href,
    swallow: () => open.forEach((client) => swallowed.add(client)),
    leadTo: (other) => (target = new URL(other)),
    cut: () => open.forEach((client) => swallowed.has(client) && client.destroy()),
  };
}
