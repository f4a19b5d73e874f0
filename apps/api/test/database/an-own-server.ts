import { type OwnServer, startOwnServer } from '@insurance-verification/store/testing/own-server';
import { onTestFinished } from 'vitest';

/** A server of the test's own, gone with it. */
export async function anOwnServer(): Promise<OwnServer> {
  const server = await startOwnServer();
  onTestFinished(server.stop);
  return server;
}
