import { onTestFinished } from 'vitest';
import { migrate } from '../../src/index.ts';
import { type OwnServer, startOwnServer } from '../../src/testing/own-server.ts';

/** A migrated server for one test, removed after it. */
export async function aServer(settings?: Record<string, string>): Promise<OwnServer> {
  const server = await startOwnServer(settings);
  onTestFinished(server.stop);
  await migrate({ connectionString: server.connectionString });
  return server;
}
