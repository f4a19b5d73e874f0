import { createHash } from 'node:crypto';
import type { WorkItem } from '@insurance-verification/schema';

/** What was leased through this program, by the key that leased it: the requests that `get_request` may show. */
export interface LeaseBook {
  note(item: WorkItem): void;
  find(requestId: string): WorkItem | undefined;
  renew(requestId: string, leaseExpiresAt: string): void;
  drop(requestId: string): void;
}

/** Minutes after the end of its lease for which a request is remembered: a late heartbeat should hear that it is late. */
const KEPT_MS = 3_600_000;

/** One book for each key, so that no agent sees what another one leased. Kept in memory: a lease is soon over. */
export function createLeaseBooks(): (apiKey: string) => LeaseBook {
  const items = new Map<string, WorkItem>();
  return (apiKey) => {
    const owner = createHash('sha256').update(apiKey).digest('base64');
    const place = (requestId: string) => `${owner} ${requestId}`;
    return {
      note: (item) => {
        const forgottenBefore = Date.now() - KEPT_MS;
        for (const [key, { lease_expires_at: end }] of items)
          if (Date.parse(end) < forgottenBefore) items.delete(key);
        items.set(place(item.request.request_id ?? ''), item);
      },
      find: (requestId) => items.get(place(requestId)),
      renew: (requestId, leaseExpiresAt) => {
        const item = items.get(place(requestId));
        if (item) items.set(place(requestId), { ...item, lease_expires_at: leaseExpiresAt });
      },
      drop: (requestId) => void items.delete(place(requestId)),
    };
  };
}
