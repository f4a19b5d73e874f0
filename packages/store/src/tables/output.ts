import type { HeldReason } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from './columns.ts';

export interface OutputTables {
  result: ResultTable;
  known_answer: KnownAnswerTable;
  held_output: HeldOutputTable;
  held_count: HeldCountTable;
}

interface ResultTable {
  request_id: string;
  version: number;
  outcome: 'complete' | 'error_verifying';
  /** `{ errorReason, insuranceData }`. */
  body: Buffer;
  /** Null when it came without, and once it is erased. */
  benefits: Buffer | null;
  digest: Buffer;
  applied_at: Generated<Date>;
  applied_by: string | null;
  held_output_id: string | null;
  /** Its reason is `withdrawn`: it is in no figure. */
  withdrawn: Generated<boolean>;
}

interface KnownAnswerTable {
  request_id: string;
  seeded_at: Generated<Date>;
  seeded_by: string;
  answer: Buffer;
}

interface HeldOutputTable {
  id: string;
  reason: HeldReason;
  /** Null when the output names no known request, and for anonymous senders. */
  request_id: string | null;
  /** An anonymous sender's claim, in issued form: not checked for existence. */
  named_request_id: string | null;
  /** Other requests that it, or an entry of it, names: in issued form, not checked for existence. Never empty. */
  other_request_ids: string[] | null;
  digest: Buffer;
  body: Buffer;
  /** Null when it came without, and once it is dismissed. */
  benefits: Buffer | null;
  /** Of a correction; null for any other output. */
  evidence: Buffer | null;
  /** Null when it names no known request, and of a sender without a key until it is first listed. */
  differences: Buffer | null;
  byte_count: number;
  status: Generated<'held' | 'applied' | 'dismissed'>;
  received_at: Generated<Date>;
  /** Null for anonymous senders. */
  received_by: string | null;
  /** HMAC of an anonymous sender's address. */
  client: Buffer | null;
  settled_at: Instant | null;
  settled_by: string | null;
  note: Buffer | null;
}

/** Maintained by triggers. */
interface HeldCountTable {
  is_keyed: boolean;
  reason: HeldReason;
  row_count: string;
  byte_count: string;
  dismissed_row_count: string;
  dismissed_byte_count: string;
}
