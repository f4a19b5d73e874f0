import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { AddressGuard } from '../address/create-address-guard.ts';
import { SendFailure } from '../sending/send-failure.ts';
import { openTcp } from './open-tcp.ts';
import { openThroughProxy } from './open-through-proxy.ts';
import { permittedAddresses } from './permitted-addresses.ts';
import type { ResolveHostOptions } from './resolve-host.ts';
import { startTls } from './start-tls.ts';
import { withStatusLines } from './status-lines.ts';

/** The common options of a sender's connections. */
export interface GuardedConnectorOptions {
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
