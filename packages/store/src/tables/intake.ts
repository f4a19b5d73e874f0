import type { DeliveryFact, Outcome } from '@insurance-verification/schema';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Instant } from './instant.ts';
import type { QueueName } from './route.ts';

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
  /** True for requests of `test` accounts: no live verifier and no payer ever sees them. */
  sandbox: Generated<boolean>;
  /** What an exact member id is looked up by (see `memberIndex`); 0: none. */
  member_index: string;
  /** What the NPI of its provider is looked up by (see `npiIndex`); 0: none. */
  npi_index: Generated<string>;
  /** The day to ask about, `YYYY-MM-DD`; null for the day of asking. Sealed: a patient's visit. */
  service_date: Buffer | null;
  /** When its account needs the first result; null when it did not say. */
  needed_by: Instant | null;
  /** The version of the current result; 0 before the first. */
  version: Generated<number>;
  outcome: Generated<Outcome>;
  outcome_reason: Buffer | null;
  /** The channel in which it ended; null before, when its row in `work_queue` has it. */
  channel: QueueName | null;
  delivery: Generated<DeliveryFact>;
  delivery_reason: string | null;
  /** `delivery` is `exhausted`. */
  undelivered: GeneratedAlways<boolean>;
  /** The latest output with status `pending`. */
  progress: Buffer | null;
  progress_at: Instant | null;
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
