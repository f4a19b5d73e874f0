import type { AttemptResult, VerificationSource } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from '../instant.ts';

export interface VerificationTables {
  verification_attempt: VerificationAttemptTable;
  channel_attendance: ChannelAttendanceTable;
  account_served: AccountServedTable;
  x12_exchange: X12ExchangeTable;
  draft: DraftTable;
}

interface VerificationAttemptTable {
  request_id: string;
  number: number;
  account_id: string;
  payer_id: string;
  /** Null for an output that names no channel. */
  channel: VerificationSource | null;
  key_id: string | null;
  started_at: Generated<Date>;
  ended_at: Instant | null;
  outcome: Generated<AttemptResult>;
  /** A slug; a verifier's free text is in `evidence`. */
  error_reason: string | null;
  result_version: number | null;
  /** Sealed `Evidence`. */
  evidence: Buffer | null;
  /** Until when the verifier is on the phone; null when it is not. */
  on_call_until: Instant | null;
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
  /** When it was written, by the database's clock; null in rows from before the facts. */
  recorded_at: Generated<Date | null>;
}

interface DraftTable {
  request_id: string;
  written_by: string;
  /** From a sequence; a `bigint`. */
  revision: string;
  /** Sealed text, as a JSON string. */
  body: Buffer;
  saved_at: Generated<Date>;
}
