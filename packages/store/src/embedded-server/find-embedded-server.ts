import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATABASE_NAME } from './cluster.ts';
import { LOOPBACK, isServerOfCluster, readPostmasterFile } from './server-process.ts';

/**
 * The address of the embedded server that another program runs on `dataDir`, password included; undefined when none
 * runs there.
 */
export function findEmbeddedServer(dataDir: string): string | undefined {
  const folder = path.resolve(dataDir, 'postgres');
  const clusterDir = path.join(folder, 'cluster');
  const running = readPostmasterFile(clusterDir);
  if (running === null || !running.isReady || !isServerOfCluster(running.pid, clusterDir)) return undefined;
  const password = readFileSync(path.join(folder, 'password'), 'utf8').trim();
  return `postgres://${DATABASE_NAME}:${password}@${LOOPBACK}:${running.port}/${DATABASE_NAME}`;
}
