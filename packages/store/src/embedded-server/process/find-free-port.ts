import { createServer } from 'node:net';

/**
 * TCP on loopback rather than a Unix socket: a socket's path is limited to 107 bytes, which a deep checkout exceeds,
 * and a TCP address works in every client and on Windows.
 */
export const LOOPBACK = '127.0.0.1';

/** A loopback port that was free a moment ago; another process may take it before its use. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}
