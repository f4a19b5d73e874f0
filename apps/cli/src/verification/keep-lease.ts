import { ConflictError, type RestClient } from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';

/** A lease that is renewed for as long as a person works on it. */
export interface KeptLease {
  /** Aborted when the lease was lost: someone else may have the request. */
  readonly lost: AbortSignal;
  /** No more renewals. */
  readonly end: () => void;
}

/** Renews well before the lease ends: two beats may fail. */
const BEATS_IN_A_LEASE = 3;

export function keepLease(client: RestClient, item: WorkItem): KeptLease {
  const lost = new AbortController();
  const lease = { request_id: item.request.request_id ?? '', lease_token: item.lease_token };
  const milliseconds = Math.max(Date.parse(item.lease_expires_at) - Date.now(), 1_000) / BEATS_IN_A_LEASE;
  const timer = setInterval(() => {
    // Any other failure may pass before the lease ends; the next beat tells.
    client.work.heartbeat(lease).catch((err: unknown) => {
      if (err instanceof ConflictError) lost.abort();
    });
  }, milliseconds);
  return { lost: lost.signal, end: () => clearInterval(timer) };
}
