import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { SendFailure } from '../sending/send-failure.ts';

/** The expected peer of the socket. */
export interface StartTlsOptions {
  readonly host: string;
  /** PEM certificates trusted in place of Node's own roots. */
  readonly trustedCa?: readonly string[] | undefined;
}

/**
 * Verifies the peer and returns the encrypted socket. A handshake that is cut off also counts as a TLS failure.
 * `rejectUnauthorized` is explicit so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect. Sessions
 * are not resumed: connections are reused instead, and a cache per host would be one more thing to bound.
 *
 * @throws SendFailure `tls_failed`
 */
export function startTls(socket: Socket, { host, trustedCa }: StartTlsOptions): Promise<TLSSocket> {
  const name = host.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const fail = (cause?: Error) => {
      socket.destroy();
      reject(new SendFailure('tls_failed', { cause }));
    };
    const encrypted = connect({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '', // SNI carries no addresses (RFC 6066, 3)
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(trustedCa && { ca: [...trustedCa] }),
    });
    encrypted.once('secureConnect', () => resolve(encrypted));
    encrypted.on('error', fail);
    encrypted.once('close', () => fail());
  });
}
