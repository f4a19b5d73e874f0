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
  const tried: { -readonly [Door in keyof Doors]: Doors[Door] } = { port: undefined, metricsPort: undefined };
  if (port !== undefined) tried.port = await tryDoor({ host, port, variable: 'PORT' });
  if (metricsPort !== undefined)
    tried.metricsPort = await tryDoor({ host, port: metricsPort, variable: 'METRICS_PORT' });
  return tried;
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
