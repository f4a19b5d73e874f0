import type { AttemptOutcome } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from '../instant.ts';

export interface DeliveryTables {
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  delivery_queue: DeliveryQueueTable;
  delivery_worker: DeliveryWorkerTable;
  delivery_shard: DeliveryShardTable;
}

interface DeliveryTable {
  id: string;
  request_id: string;
  version: number;
  account_id: string;
  destination: Buffer;
  /** HMAC of host and port, by which caps and fairness group. */
  destination_host: Buffer;
  /** Only in rows of before `messageBody`. */
  body: Buffer | null;
  status: Generated<'pending' | 'delivered' | 'exhausted' | 'superseded'>;
  reason: string | null;
  /** Attempts over all rounds; a redelivery starts a new round. */
  attempt_count: Generated<number>;
  round_attempt_count: Generated<number>;
  run_at: Generated<Date>;
  /** This, the lease and the claims below are of processes of the version before; triggers copy them into the queue. */
  claim_count: Generated<number>;
  lease_token: string | null;
  leased_at: Instant | null;
  lease_until: Instant | null;
  accepted_at: Generated<Date>;
  done_at: Instant | null;
  /** Written by a trigger: when it was done, while it is exhausted. */
  exhausted_at: Generated<Date | null>;
}

/**
 * The unfinished deliveries, and who is sending them: a claim, a renewal and a release write this row alone. `run_at` is
 * the delivery's.
 */
interface DeliveryQueueTable {
  destination_host: Buffer;
  account_id: string;
  run_at: Date;
  delivery_id: string;
  /** Its request, which tells the delivery's month; null in rows of processes of the version before. */
  of_request: string | null;
  /** The fencing token. */
  lease: string | null;
  leased_since: Instant | null;
  leased_until: Instant | null;
  /** Claims since the last finished attempt; the cap stops a row that crashes its worker. */
  claims: Generated<number>;
}

interface DeliveryWorkerTable {
  /** The `Store.notifier` of its process. */
  id: string;
  until: Instant;
  account_room: number;
  is_leaving: boolean;
}

interface DeliveryShardTable {
  shard: number;
  owner: string | null;
}

interface DeliveryAttemptTable {
  delivery_id: string;
  number: number;
  at: Instant;
  outcome: AttemptOutcome;
  status_code: number | null;
  duration_ms: number;
  response_snippet: Buffer | null;
  /** When it was written, by the database's clock; null in rows from before the facts. */
  recorded_at: Generated<Date | null>;
}
