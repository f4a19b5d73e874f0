import { ConflictError, type RestClient } from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';

/** A lease renewed while somebody works on the request. */
export interface KeptLease {
  /** The current work item: its token, and its expiry unless renewed. */
  readonly item: () => WorkItem;
  /** Aborted when the lease is lost: another verifier may have the request. */
  readonly lost: AbortSignal;
  /**
   * Makes a change that ends the lease. Renewals pause meanwhile: a renewal after the change is refused, and would then
   * claim the request that was just given back. If the change fails, the renewals resume.
   */
  readonly endWith: <T>(change: (item: WorkItem) => Promise<T>) => Promise<T>;
  /** Stops the renewals. */
  readonly end: () => void;
}

/** Renews well before the lease expires: two heartbeats may fail. */
const BEATS_IN_A_LEASE = 3;

/**
 * Keeps a lease alive.
 * @param takeAgain claims the request again when a renewal came too late, for example after a laptop's sleep. Without
 * it, or when it fails, the lease is lost.
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
      // Any other failure may pass before the lease expires; the next heartbeat shows.
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

/** The proof of the lease, required for every change under it. */
export function leaseOf({ request, lease_token }: WorkItem) {
  return { request_id: request.request_id ?? '', lease_token };
}
