import type { Socket } from 'node:net';
import { SendFailure } from '../sending/send-failure.ts';
import { openTunnel, type OpenTunnelOptions } from './open-tunnel.ts';

export type OpenThroughProxyOptions = Omit<OpenTunnelOptions, 'host'> & {
  /** Where the host may be connected at: the tunnel leads to one of these, and to no name. */
  readonly addresses: readonly string[];
  /** How long one address may take before the next is tried. */
  readonly attemptTimeoutMs: number;
};

/**
 * A tunnel to the first address that the proxy reaches. It is asked for an address that was checked, never for the name:
 * the proxy would resolve that once more, and a name that answers differently then leads where nothing was checked.
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
    // Not AbortSignal.timeout: one that fires after the tunnel stands would end it.
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
