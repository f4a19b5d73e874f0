import type { Socket } from 'node:net';
import { SendFailure } from '../sending/send-failure.ts';
import { openTunnel, type OpenTunnelOptions } from './open-tunnel.ts';

export type OpenThroughProxyOptions = Omit<OpenTunnelOptions, 'host'> & {
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
export async function openThroughProxy({
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
