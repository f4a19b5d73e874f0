import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { SendFailure } from './outcome.ts';
import { permittedAddresses, type ResolveHostOptions } from './resolve-host.ts';
import { withStatusLines } from './status-lines.ts';

/** The common options of a sender's connections. */
interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  readonly egressProxy?: URL | undefined;
  readonly dnsServers?: readonly string[] | undefined;
  readonly hostsFile?: string | undefined;
  readonly trustedCa?: readonly string[] | undefined;
}

/**
 * undici's `connect`, with the guard on every new connection: the literal or the whole resolved list is checked,
 * exactly that list is connected to, and the peer's address is checked again before the first byte is sent. Behind a
 * proxy the peer is the proxy, which is given a checked address instead of the name; without one, nothing is sent.
 *
 * Not undici's own connector with a `lookup`: Node never calls `lookup` for IP literals, the peer could only be checked
 * after the TLS handshake, and the failing phase would have to be guessed from error codes.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  return (target, callback) => void connectAndReport(target, options, callback);
}

async function connectAndReport(
  target: buildConnector.Options,
  options: GuardedConnectorOptions,
  callback: buildConnector.Callback,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await openWithin(target, options);
  } catch (err) {
    callback(err instanceof Error ? err : new SendFailure('connection_failed', { cause: err }), null);
    return;
  }
  callback(null, withStatusLines(socket));
}

/** One deadline over DNS, TCP, the proxy and TLS. */
async function openWithin(target: buildConnector.Options, options: GuardedConnectorOptions): Promise<Socket> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.connectTimeoutMs);
  try {
    return await open(target, options, deadline.signal);
  } catch (err) {
    throw deadline.signal.aborted ? new SendFailure('timeout', { cause: err }) : err;
  } finally {
    clearTimeout(timer);
  }
}

async function open(
  target: buildConnector.Options,
  options: GuardedConnectorOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const isTls = target.protocol === 'https:';
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const port = Number(target.port) || (isTls ? 443 : 80);
  const addresses = await permittedAddresses(host, options.guard, resolving(options));
  const socket = await openTo({ addresses, port, signal }, options);
  return isTls ? startTls(socket, { host, trustedCa: options.trustedCa }) : socket;
}

interface Destination {
  /** All checked. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly signal: AbortSignal;
}

async function openTo(
  destination: Destination,
  { connectTimeoutMs, guard, egressProxy: proxy, trustedCa }: GuardedConnectorOptions,
): Promise<Socket> {
  // Half the time is reserved for the last address and TLS.
  const shareMs = Math.max(250, connectTimeoutMs / (2 * destination.addresses.length));
  if (proxy !== undefined)
    return openThroughProxy({ ...destination, proxy, trustedCa, attemptTimeoutMs: shareMs });
  // Still reaches a receiver 300 ms away, which Node's own 250 ms would not.
  const socket = await openTcp({ ...destination, attemptTimeoutMs: Math.min(1000, shareMs) });
  if (!guard.isAllowed(socket.remoteAddress ?? '')) {
    socket.destroy();
    throw new SendFailure('blocked_address');
  }
  return socket;
}

/** DNS gets 60 % of the connect time, so that slow DNS ends as `dns_failed` rather than `timeout`. */
function resolving({ connectTimeoutMs, dnsServers, hostsFile }: GuardedConnectorOptions): ResolveHostOptions {
  return { timeoutMs: Math.ceil(connectTimeoutMs * 0.6), dnsServers, hostsFile };
}

/** Connects to exactly these addresses, tried one after the other in alternating families. */
interface OpenTcpOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Aborts the attempt; must not abort after it has succeeded. */
  readonly signal: AbortSignal;
  /** How long one address may take before the next is tried. */
  readonly attemptTimeoutMs: number;
}

/** Opens a TCP connection to the first address that answers. @throws SendFailure `connection_failed` */
function openTcp({ addresses, port, signal, attemptTimeoutMs }: OpenTcpOptions): Promise<Socket> {
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

/** The expected peer of the socket. */
interface StartTlsOptions {
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
function startTls(socket: Socket, { host, trustedCa }: StartTlsOptions): Promise<TLSSocket> {
  const name = host.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const fail = (cause?: Error) => {
      socket.destroy();
      reject(new SendFailure('tls_failed', { cause }));
    };
    const encrypted = connectTls({
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

type OpenThroughProxyOptions = Omit<OpenTunnelOptions, 'host'> & {
  /** The host's addresses: the tunnel leads to one of these, never to a name. */
  readonly addresses: readonly string[];
  /** How long one address may take before the next is tried. */
  readonly attemptTimeoutMs: number;
};

/**
 * Opens a tunnel to the first address that the proxy reaches. The proxy gets a checked address, never the name: it
 * would resolve the name again, and a different answer would lead to an unchecked address.
 *
 * @throws SendFailure of the last address
 */
async function openThroughProxy({
  addresses,
  attemptTimeoutMs,
  signal,
  ...tunnel
}: OpenThroughProxyOptions): Promise<Socket> {
  let failure = new SendFailure('connection_failed');
  for (const [index, host] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    const attempt = new AbortController();
    // Not AbortSignal.timeout: firing after the tunnel is open, it would close it.
    const timer = isLast ? undefined : setTimeout(() => attempt.abort(), attemptTimeoutMs);
    try {
      return await openTunnel({ ...tunnel, host, signal: AbortSignal.any([signal, attempt.signal]) });
    } catch (err) {
      if (!(err instanceof SendFailure) || signal.aborted) throw err;
      failure = err;
    } finally {
      clearTimeout(timer);
    }
  }
  throw failure;
}

const ANSWER_BYTES_MAX = 16_384;

/** A CONNECT proxy and the target to request. */
interface OpenTunnelOptions {
  /** `http:` or `https:`; userinfo becomes `Proxy-Authorization`. */
  readonly proxy: URL;
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly trustedCa?: readonly string[] | undefined;
}

/** Requests a tunnel from the proxy (RFC 9110, 9.3.6), even for plain http. @throws SendFailure `connection_failed` */
async function openTunnel(options: OpenTunnelOptions): Promise<Socket> {
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

/** Reads the address of the CONNECT proxy. @throws TypeError without the address, which may hold a password */
export function egressProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(
    'egressProxyUrl is not an http or https URL; write for example http://proxy.internal:3128',
  );
}
