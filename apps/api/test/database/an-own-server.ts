import { type OwnServer, startOwnServer } from '@insurance-verification/store/testing/own-server';
import { onTestFinished } from 'vitest';

/** A separate server, stopped after the test. */
export async function anOwnServer(): Promise<OwnServer> {
  const server = await startOwnServer();
  onTestFinished(server.stop);
  return server;
}
