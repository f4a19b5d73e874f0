import { type ClaimedDelivery, LEASE_SECONDS, renewLeases, type Store } from '@insurance-verification/store';
import type { InFlight } from '../../queue/in-flight.ts';
import { createFailureLog, type Log } from '../../telemetry/log.ts';
/** Milliseconds between renewals: four may fail before a lease lapses. */
export const BEAT_MS = 2_000;

/** A worker stops this long before its lease ends by its own clock, so that it never writes afterwards. */
export const MARGIN_MS = 1_000;

/** Renews the leases of what is under way, and aborts what it could not renew in time. A stop waits for the last renewal. */
export function startHeartbeat(
  { store, log }: { readonly store: Store; readonly log: Log },
  inFlight: InFlight<ClaimedDelivery>,
): { stop(): Promise<void> } {
  // By this process's clock: it only measures the time since the last successful renewal.
  const heldSince = new Map<string, number>();
  const logFailure = createFailureLog(log, 'renewal failed; the next beat tries again');

  const beat = async () => {
    const askedAt = performance.now();
    const leases = inFlight.items();
    for (const id of heldSince.keys()) if (!inFlight.get(id)) heldSince.delete(id);
    for (const { deliveryId } of leases)
      if (!heldSince.has(deliveryId)) heldSince.set(deliveryId, askedAt - BEAT_MS);
    if (leases.length === 0) return;
    try {
      const held = await renewLeases(store, leases);
      for (const { deliveryId, leaseToken } of leases) {
        const current = inFlight.get(deliveryId);
        if (current?.item.leaseToken !== leaseToken) continue;
        if (held.has(deliveryId)) heldSince.set(deliveryId, askedAt);
        else current.abort.abort(new Error('The lease was lost.'));
      }
    } catch (err) {
      logFailure(err);
      // A hanging commit locks its row. Skip such rows, so that attempts still being sent need not be aborted too and
      // sent again.
      const held = await renewLeases(store, leases, { skipLocked: true }).catch(() => []);
      for (const deliveryId of held) heldSince.set(deliveryId, askedAt);
      const lostBefore = performance.now() - LEASE_SECONDS * 1000 + MARGIN_MS + BEAT_MS;
      for (const [id, since] of heldSince) {
        if (since < lostBefore) inFlight.get(id)?.abort.abort(new Error('The lease could not be renewed.'));
      }
    }
  };

  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined));
  }, BEAT_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await beating;
    },
  };
}
