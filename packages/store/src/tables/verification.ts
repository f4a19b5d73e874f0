import type { AttemptResult, VerificationSource } from '@insurance-verification/schema';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Instant } from './columns.ts';
import type { Pool, QueueName } from './intake.ts';

export interface VerificationTables {
  work_queue: WorkQueueTable;
  verification_attempt: VerificationAttemptTable;
  channel_attendance: ChannelAttendanceTable;
  payer_outage: PayerOutageTable;
  account_served: AccountServedTable;
  x12_exchange: X12ExchangeTable;
  draft: DraftTable;
}

/**
 * The unfinished requests, and who works on them: a claim, a heartbeat and a release write only this row. The request's
 * row says the rest.
 */
interface WorkQueueTable {
  account_id: string;
  request_id: string;
  pool: Pool;
  payer_id: string;
  /** Where it waits or is worked on. */
  channel: Generated<QueueName>;
  channel_entered_at: Generated<Date>;
  /** When the channel's time ends; null in `entry`, where the route's time runs from `waits_since`. */
  channel_until: Instant | null;
  /** Attempts in this channel, without released ones. */
  attempt_count: Generated<number>;
  /** The request's. */
  needed_by: Instant | null;
  /** The batch that it came in. */
  batch_id: string | null;
  /** Since when it has waited for a verifier. */
  waits_since: Generated<Date>;
  /** It may not be claimed before `waits_since`, a time to come. */
  postponed: Generated<boolean>;
  /** When the payer asked to be called back; null without a call-back. */
  call_back_at: Instant | null;
  /** The person or key that planned the call-back; null once that has ended. */
  call_back_by: string | null;
  /** Only who planned it may make it, until `waits_since`. */
  call_back_is_own: Generated<boolean>;
  /** It left the channel `api` only since the payer did not answer, and goes back there when it does. */
  returns_to_api: Generated<boolean>;
  /** The fencing token. */
  lease: string | null;
  leased_at: Instant | null;
  leased_until: Instant | null;
  /** When it may be claimed: `-infinity` for what just waits, so that it sorts before what is leased or postponed. */
  ready_at: GeneratedAlways<Date>;
  /** The order within an account: when it is needed, else a day after it began to wait; those of batches ten thousand years later. In UTC, without a zone. */
  turn_at: GeneratedAlways<Date>;
}

interface VerificationAttemptTable {
  request_id: string;
  number: number;
  account_id: string;
  payer_id: string;
  /** Null for an output that names no channel. */
  channel: VerificationSource | null;
  key_id: string | null;
  /** SHA-256 of the token of its lease; null when it had none. */
  lease_hash: Buffer | null;
  started_at: Generated<Date>;
  ended_at: Instant | null;
  outcome: Generated<AttemptResult>;
  /** A slug; a verifier's free text is in `evidence`. */
  error_reason: string | null;
  result_version: number | null;
  /** The attempt that asked the payer, of a correction; null where it is this one. */
  corrects: number | null;
  /** When an operator applied what it found; null where none had to. */
  decided_at: Instant | null;
  /** Encrypted `Evidence`. */
  evidence: Buffer | null;
  /** Until when the verifier is on the phone, or in the payer's portal; null when it is neither. */
  on_call_until: Instant | null;
  /** Whether `on_call_until` is of the payer's portal. */
  in_portal: Generated<boolean>;
}

/** A time in which a payer's API did not answer. */
interface PayerOutageTable {
  payer_id: string;
  /** The first of its failures in a row. */
  since: Date;
  found_at: Generated<Date>;
  /** Exchanges in a row without an answer, probes included. */
  failure_count: number;
  next_probe_at: Instant;
  probe_count: Generated<number>;
  /** Null while it lasts. */
  ended_at: Instant | null;
  /** When its events `payer.unavailable` were written; null when they were not. */
  reported_at: Instant | null;
  /** The accounts that have them. */
  reported_to: Generated<string[]>;
  /** It ended, and its events `payer.recovered` are written. */
  settled: Generated<boolean>;
}

interface ChannelAttendanceTable {
  payer_id: string;
  channel: VerificationSource;
  claimed_at: Generated<Date>;
}

interface AccountServedTable {
  account_id: string;
  /** When a request of the account was last leased. */
  served_at: Generated<Date>;
}

interface X12ExchangeTable {
  request_id: string;
  control_number: number;
  account_id: string;
  payer_id: string;
  started_at: Instant;
  duration_ms: number;
  status_code: number | null;
  error_reason: string | null;
  payer_codes: string[];
  inquiry: Buffer;
  answer: Buffer | null;
  /** From 1; null where it was not given. */
  inquiry_number: number | null;
  /** `CodeCounts` in their order; null where no dental code was asked for, or the payer did not answer. */
  dental_codes: number[] | null;
  medical_codes: number[] | null;
  /** When it was written, by the database's clock. */
  recorded_at: Generated<Date>;
}

interface DraftTable {
  request_id: string;
  /** The person or key that saved it last. */
  written_by: string;
  /** From a sequence; a `bigint`. */
  revision: string;
  /** Encrypted text, as a JSON string. */
  body: Buffer;
  saved_at: Generated<Date>;
}
