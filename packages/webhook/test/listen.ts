import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** A server on a free loopback port that counts, and can end, its connections. */
export type Listening = AsyncDisposable & {
  readonly port: number;
  /** Connections accepted since the start. */
  readonly accepted: () => number;
  /** Connections open now. */
  readonly open: () => number;
};

/** Starts any net, http or tls server on 127.0.0.1 (or another loopback address). */
export async function listen(server: Server, address = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
  });
  server.listen(0, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port');
  return {
    port: bound.port,
    accepted: () => accepted,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
