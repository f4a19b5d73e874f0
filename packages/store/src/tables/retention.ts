import type { ErasureReason } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant, Mac } from './columns.ts';

export interface RetentionTables {
  erasure_later: ErasureLaterTable;
  retention_asking: RetentionAskingTable;
  retention_change: RetentionChangeTable;
  erasure: ErasureTable;
  legal_hold: LegalHoldTable;
}

/** Requests whose erasure was asked for; those that were erased stay, as the tombstone. */
interface ErasureTable {
  mac: Mac;
  id: string;
  request_id: string;
  reason: ErasureReason;
  asked_at: Generated<Date>;
  wrong_count: Generated<number>;
  /** A key or a person. */
  asked_by: string;
  /** See `two-people.ts`. */
  asked_in: string[] | null;
  enrolled_by: string[] | null;
  /** A person; null until it is erased. */
  confirmed_by: string | null;
  erased_at: Instant | null;
}

interface LegalHoldTable {
  mac: Mac;
  id: string;
  /** Null where it covers all of its account. */
  request_id: string | null;
  account_id: string;
  /** Encrypted; empty once its request is erased. */
  reason: Buffer;
  placed_at: Generated<Date>;
  placed_by: string;
  ended_at: Instant | null;
  ended_by: string | null;
}

/** Requests that were not old enough when their account's turn came. */
interface ErasureLaterTable {
  account_id: string;
  request_id: string;
  /** They are finished no earlier. */
  since: Instant;
}

/** A shorter retention that waits for a second person. */
interface RetentionAskingTable {
  mac: Mac;
  account_id: string;
  days: number;
  /** A key or a person. */
  asked_by: string;
  /** See `two-people.ts`. */
  asked_in: string[] | null;
  enrolled_by: string[] | null;
  asked_at: Instant;
}

interface RetentionChangeTable {
  account_id: string;
  changed_at: Generated<Date>;
  /** A key or a person. */
  changed_by: string;
  /** Who asked for a shorter one; null for a longer one. */
  asked_by: string | null;
  days_before: number | null;
  days_after: number | null;
}
