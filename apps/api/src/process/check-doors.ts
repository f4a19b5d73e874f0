import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { type Door, nameListenFailure } from '../http/name-listen-failure.ts';

/**
 * Listens for a moment where the service will listen: a port that is taken is told before a database is made or
 * migrated for nothing.
 * @throws {StartError}
 */
export async function checkDoors({ host, port, metricsPort }: Config): Promise<void> {
  if (port !== undefined) await tryDoor({ host, port, variable: 'PORT' });
  if (metricsPort !== undefined) await tryDoor({ host, port: metricsPort, variable: 'METRICS_PORT' });
}

async function tryDoor(door: Door): Promise<void> {
  const server = createServer();
  try {
    server.listen(door.port, door.host);
    await once(server, 'listening'); // throws what `error` brings
  } catch (err) {
    throw nameListenFailure(err, door);
  }
  server.close();
  await once(server, 'close');
}
