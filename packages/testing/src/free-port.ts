import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports of outgoing connections: one of those might take the port first. */
const FIRST = 20_000;
const COUNT = 12_000;

let next = Math.floor(Math.random() * COUNT);

/** A port without a listener, for a server that must restart at the same address. */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % COUNT;
    const port = FIRST + next; // another caller moves `next` while this one waits
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // taken
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
