import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface CuttingProxy {
  /** The same database through the proxy. */
  readonly connectionString: string;
  /**
   * Closes the connection of the next commit: before the server receives it, or after it has answered, without passing
   * the answer on.
   */
  cutNextCommit(at: 'before' | 'after'): void;
  /** Commits that were cut. */
  readonly cutCount: () => number;
}

/** The message of a simple query `commit`. */
const COMMIT = Buffer.from('Q\0\0\0\u000bcommit\0', 'latin1');

/** A TCP proxy in front of the database that can lose a connection during a commit; removed after the test. */
export async function aCuttingProxy(connectionString: string): Promise<CuttingProxy> {
  const target = new URL(connectionString);
  let armed: 'before' | 'after' | null = null;
  let cutCount = 0;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    let isCommitting = false;
    const cut = () => {
      cutCount += 1;
      client.destroy();
      upstream.destroy();
    };
    open.add(client);
    client.on('data', (bytes: Buffer) => {
      if (armed !== null && bytes.includes(COMMIT)) {
        isCommitting = armed === 'after';
        armed = null;
        if (!isCommitting) return cut();
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (isCommitting ? cut() : void client.write(bytes)));
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
    cutNextCommit: (at) => (armed = at),
    cutCount: () => cutCount,
  };
}
