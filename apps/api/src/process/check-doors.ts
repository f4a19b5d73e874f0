import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { type Door, nameListenFailure } from '../http/name-listen-failure.ts';

/** The ports that are free. */
export type Doors = Pick<Config, 'port' | 'metricsPort'>;

/**
 * Listens for a moment where the service will listen: a taken port is reported before a database is created or migrated
 * in vain.
 * @returns the ports, each 0 replaced by one that was free.
 * @throws {StartError}
 */
export async function checkDoors({ host, port, metricsPort }: Config): Promise<Doors> {
  return {
    port: port === undefined ? undefined : await tryDoor({ host, port, variable: 'PORT' }),
    metricsPort:
      metricsPort === undefined
        ? undefined
        : await tryDoor({ host, port: metricsPort, variable: 'METRICS_PORT' }),
  };
}

async function tryDoor(door: Door): Promise<number> {
  const server = createServer();
  try {
    server.listen(door.port, door.host);
    await once(server, 'listening'); // throws the error of the `error` event
  } catch (err) {
    throw nameListenFailure(err, door);
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
