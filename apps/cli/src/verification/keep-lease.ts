import { ConflictError, type RestClient } from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';

/** A lease that is renewed for as long as somebody works on it. */
export interface KeptLease {
  /** The work under the lease as it is now: with its token, and when it ends unless it is renewed. */
  readonly item: () => WorkItem;
  /** Aborted when the lease was lost: someone else may have the request. */
  readonly lost: AbortSignal;
  /**
   * Makes a change that ends the lease. It is not renewed meanwhile: a renewal that comes after the change is refused,
   * and would lease anew what was just given back. When the change fails the renewals go on.
   */
  readonly endWith: <T>(change: (item: WorkItem) => Promise<T>) => Promise<T>;
  /** No more renewals. */
  readonly end: () => void;
}

/** Renews well before the lease ends: two beats may fail. */
const BEATS_IN_A_LEASE = 3;

/**
 * Keeps a lease.
 * @param takeAgain leases the request anew when a renewal came too late, as after a laptop's sleep. Without it, or when
 * it fails, the lease is lost.
 */
export function keepLease(
  client: RestClient,
  first: WorkItem,
  takeAgain?: (item: WorkItem) => Promise<WorkItem>,
): KeptLease {
  const lost = new AbortController();
  let item = first;
  let isResting = false;
  const beat = async () => {
    if (isResting) return;
    try {
      const { lease_expires_at } = await client.work.heartbeat(leaseOf(item));
      item = { ...item, lease_expires_at };
    } catch (err) {
      // Any other failure may pass before the lease ends; the next beat tells.
      if (!(err instanceof ConflictError) || isResting) return;
      const again = await takeAgain?.(item).catch(() => undefined);
      if (again) item = again;
      else lost.abort();
    }
  };
  const milliseconds = Math.max(Date.parse(first.lease_expires_at) - Date.now(), 1_000) / BEATS_IN_A_LEASE;
  const timer = setInterval(() => void beat(), milliseconds);
  const endWith = async <T>(change: (item: WorkItem) => Promise<T>) => {
    isResting = true;
    try {
      return await change(item);
    } catch (err) {
      isResting = false;
      throw err;
    }
  };
  const end = () => {
    isResting = true;
    clearInterval(timer);
  };
  return { item: () => item, lost: lost.signal, endWith, end };
}

/** What proves the lease: every change under it takes this. */
export function leaseOf({ request, lease_token }: WorkItem) {
  return { request_id: request.request_id ?? '', lease_token };
}
