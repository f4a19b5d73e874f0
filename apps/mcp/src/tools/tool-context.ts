import type { RestClient } from '@insurance-verification/client';
import type { LeaseBook } from '../leases/lease-book.ts';
import type { Presence } from '../leases/presence.ts';

/** Who calls: one client of one agent's key. */
export interface ToolContext {
  /** Speaks to the service with the key. */
  readonly client: RestClient;
  /** What the key holds. */
  readonly book: LeaseBook;
  readonly presence: Presence;
}
