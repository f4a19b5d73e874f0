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
  /** `RequestInfo` as received. */
  input: Buffer;
  received_at: Generated<Date>;
  outcome: Generated<Outcome>;
  outcome_reason: Buffer | null;
  delivery: Generated<DeliveryFact>;
  delivery_reason: string | null;
  /** The version of the current result; 0 before the first. */
  version: Generated<number>;
  /** The latest output with status `pending`. */
  progress: Buffer | null;
  progress_at: Instant | null;
  /** True for requests of `test` accounts: no live verifier and no payer ever sees them. */
  sandbox: Generated<boolean>;
  /** The sandbox has passed it on to the verifiers of test accounts, because its member id is not a reserved one. */
  open_to_test_verifiers: Generated<boolean>;
  /** The channel where it waits or is worked on. `entry`: the first channel of its payer's route, whichever that is. */
  channel: Generated<'entry' | VerificationSource>;
  channel_entered_at: Generated<Date>;
  /** When the channel's time ends; null in `entry`. */
  channel_until: Instant | null;
  /** Attempts in this channel, without released ones. */
  channel_attempt_count: Generated<number>;
  verification_attempt_count: Generated<number>;
  /** Since when it has waited for a verifier. */
  work_due_at: Generated<Date>;
  lease_token: string | null;
  lease_until: Instant | null;
  /** Written by a trigger: `delivery` is `exhausted`. */
  undelivered: Generated<boolean>;
  /** What an exact member id is looked up by (see `memberIndex`); 0: none. Null until a request of before has got its own. */
  member_index: string | null;
  /** When its data was erased: every sealed value of it, here and elsewhere. */
  erased_at: Instant | null;
  /** The slug of its error once the sealed reason is gone; null for free text. */
  erased_reason: string | null;
}

interface IdempotencyKeyTable {
  account_id: string;
  key: Buffer;
  body_digest: Buffer;
  request_id: string;
  created_at: Generated<Date>;
}
