import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way from the standbys to a server, over which they replicate. */
export interface Link {
  readonly port: number;
  /** From now on nothing arrives at the standbys any more, as over a line that is too slow. */
  readonly holdBack: () => void;
  /** New connections pass again; what was held back is lost with its connections. */
  readonly letGo: () => void;
}

export async function startLink(stack: AsyncDisposableStack, serverPort: number): Promise<Link> {
  const open = new Set<Socket>();
  let isHeldBack = false;
  const server = createServer((standby) => {
    const primary = connect(serverPort, '127.0.0.1');
    for (const socket of [standby, primary]) {
      open.add(socket);
      socket.on('error', () => undefined); // only the following close counts
      socket.on('close', () => {
        open.delete(socket);
        standby.destroy();
        primary.destroy();
      });
    }
    standby.on('data', (bytes) => void primary.write(bytes));
    primary.on('data', (bytes) => void (isHeldBack || standby.write(bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => open.forEach((socket) => socket.destroy());
  stack.defer(() => {
    server.close();
    cut();
  });
  return {
    port: (server.address() as AddressInfo).port,
    holdBack: () => (isHeldBack = true),
    letGo: () => {
      isHeldBack = false;
      cut();
    },
  };
}
