import { connect, isIP, type Socket } from 'node:net';
import { SendFailure } from '../sending/send-failure.ts';

/** Connects to exactly these addresses, tried one after the other in alternating families. */
export interface OpenTcpOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Aborts the attempt; must not abort after it has succeeded. */
  readonly signal: AbortSignal;
  /** How long one address may take before the next is tried. */
  readonly attemptTimeoutMs: number;
}

/** Opens a TCP connection to the first address that answers. @throws SendFailure `connection_failed` */
export function openTcp({ addresses, port, signal, attemptTimeoutMs }: OpenTcpOptions): Promise<Socket> {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: 'pinned.invalid', // never resolved: the lookup below returns the checked list
      port,
      signal,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
      lookup: (_name, _options, callback) => callback(null, records),
    });
    socket.once('connect', () => resolve(socket.setNoDelay(true)));
    // Stays attached after connecting: the socket has no other listener until TLS or undici takes it.
    socket.on('error', (cause) => reject(new SendFailure('connection_failed', { cause })));
  });
}
