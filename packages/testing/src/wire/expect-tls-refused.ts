import { connect } from 'node:tls';
import { expect, onTestFinished } from 'vitest';
import { until } from '../until.ts';

/** Expects TLS on a port of HTTP to fail by its answer, and the connection to close, so that no client waits. */
export async function expectTlsRefused(url: string): Promise<void> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  let fault: NodeJS.ErrnoException | undefined;
  socket.on('error', (err) => (fault = err));
  // OpenSSL's name for plain HTTP in place of TLS.
  expect((await until('the handshake failed', () => fault)).code).toMatch(/^ERR_SSL_/);
  await until('the connection closed', () => socket.destroyed);
}
