import type { DeliveryFact, Outcome, VerificationSource } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from '../instant.ts';

export interface IntakeTables {
  request: RequestTable;
  idempotency_key: IdempotencyKeyTable;
}

interface RequestTable {
  id: string;
  account_id: string;
  payer_id: string;
  payer_name: string;
  /** `RequestInfo` as it came. */
  input: Buffer;
  received_at: Generated<Date>;
  outcome: Generated<Outcome>;
  outcome_reason: Buffer | null;
  delivery: Generated<DeliveryFact>;
  delivery_reason: string | null;
  /** Of the result that stands; 0 before the first. */
  version: Generated<number>;
  /** The latest output that said `pending`. */
  progress: Buffer | null;
  progress_at: Instant | null;
  /** Of an account of mode `test`: no live verifier and no payer ever sees it. */
  sandbox: Generated<boolean>;
  /** The sandbox has looked at it and left it to the verifiers of test accounts: its member id is not a reserved one. */
  open_to_test_verifiers: Generated<boolean>;
  /** Where it waits or is worked on. `entry`: the first channel of its payer's route, whichever that is. */
  channel: Generated<'entry' | VerificationSource>;
  channel_entered_at: Generated<Date>;
  /** When the channel's time is over; null while it is in `entry`. */
  channel_until: Instant | null;
  /** Attempts in this channel that were not released. */
  channel_attempt_count: Generated<number>;
  verification_attempt_count: Generated<number>;
  /** Since when it waits for a verifier. */
  work_due_at: Generated<Date>;
  lease_token: string | null;
  lease_until: Instant | null;
}

interface IdempotencyKeyTable {
  account_id: string;
  key: Buffer;
  body_digest: Buffer;
  request_id: string;
  created_at: Generated<Date>;
}
