import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { onTestFinished } from 'vitest';

/** A database behind a gate: when shut, the database is unreachable, as during a restart. */
export interface DatabaseGate {
  /** Leads through the gate. */
  readonly databaseUrl: string;
  /** Bypasses the gate. */
  readonly directUrl: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function aDatabaseGate(): Promise<DatabaseGate> {
  const { connectionString } = await createTestDatabase();
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // only the following close counts
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(shut);
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return { databaseUrl: through.href, directUrl: connectionString, shut, open: () => listen(port) };
}
