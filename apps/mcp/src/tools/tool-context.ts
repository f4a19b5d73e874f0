import type { RestClient } from '@insurance-verification/client';
import type { LeaseBook } from '../leases/lease-book.ts';
import type { Presence } from '../leases/presence.ts';

/** The caller: one client of one agent's key. */
export interface ToolContext {
  /** Calls the service with the key. */
  readonly client: RestClient;
  /** The leases of the key. */
  readonly book: LeaseBook;
  readonly presence: Presence;
}
