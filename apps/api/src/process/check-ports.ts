import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { type ListenAddress, nameListenFailure } from '../http/name-listen-failure.ts';

/**
 * Listens for a moment where the service will listen: a taken port is reported before a database is created or migrated
 * in vain.
 * @throws {StartError}
 */
export async function checkPorts({ host, port, metricsPort }: Config): Promise<void> {
  if (port !== undefined) await tryPort({ host, port, variable: 'PORT' });
  if (metricsPort !== undefined) await tryPort({ host, port: metricsPort, variable: 'METRICS_PORT' });
}

async function tryPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening'); // throws the error of the `error` event
  } catch (err) {
    throw nameListenFailure(err, address);
  }
  server.close();
  await once(server, 'close');
}
