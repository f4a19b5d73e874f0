import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SwallowingProxy {
  /** The same database through the proxy. */
  readonly connectionString: string;
  /** From here on, bytes of connections made so far go nowhere, and nobody is told: a half-open connection. */
  swallow(): void;
  /** Ends those. */
  cut(): void;
  /** New connections lead to another server. */
  leadTo(connectionString: string): void;
}

/** A TCP proxy before the database that can go silent, gone with the test. */
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
