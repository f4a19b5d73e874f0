import { connect, isIPv6, type Socket } from 'node:net';
import { SendFailure } from '../sending/send-failure.ts';
import { startTls } from './start-tls.ts';

const ANSWER_BYTES_MAX = 16_384;

/** A CONNECT proxy and the target to request. */
export interface OpenTunnelOptions {
  /** `http:` or `https:`; userinfo becomes `Proxy-Authorization`. */
  readonly proxy: URL;
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly trustedCa?: readonly string[] | undefined;
}

/** Requests a tunnel from the proxy (RFC 9110, 9.3.6), even for plain http. @throws SendFailure `connection_failed` */
export async function openTunnel(options: OpenTunnelOptions): Promise<Socket> {
  const { proxy, host, port, signal, trustedCa } = options;
  const isTls = proxy.protocol === 'https:';
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');
  const plain = connect({ host: proxyHost, port: Number(proxy.port) || (isTls ? 443 : 80), signal });
  const connected = new Promise<Socket>((resolve, reject) => {
    plain.once('connect', () => resolve(plain));
    plain.on('error', reject);
  });
  try {
    const socket = isTls ? await startTls(await connected, { host: proxyHost, trustedCa }) : await connected;
    const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proxyAuthorization(proxy)}\r\n`);
    await readConsent(socket);
    return socket;
  } catch (err) {
    plain.destroy();
    // The proxy is the operator's: its faults say nothing about the receiver's TLS.
    throw new SendFailure('connection_failed', { cause: err });
  }
}

function proxyAuthorization({ username, password }: URL): string {
  if (username === '') return '';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
}

function readConsent(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf('\r\n\r\n');
      if (end === -1 && answer.length <= ANSWER_BYTES_MAX) return;
      socket.pause().off('data', onData);
      if (!/^HTTP\/1\.[01] 2\d\d[ \r]/.test(answer.toString('latin1')))
        return reject(new Error('The proxy refused the tunnel'));
      if (answer.length > end + 4) socket.unshift(answer.subarray(end + 4));
      resolve();
    };
    socket.on('data', onData);
    socket.once('close', () => reject(new Error('The proxy closed the connection')));
  });
}
