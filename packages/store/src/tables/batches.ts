import type { BatchMode, BatchOutcome } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from './columns.ts';

export interface BatchTables {
  batch: BatchTable;
  batch_row: BatchRowTable;
  batch_change: BatchChangeTable;
  batch_staged: BatchStagedTable;
}

interface BatchTable {
  id: string;
  account_id: string;
  /** HMAC; null 48 hours later, once it has ended. */
  key: Buffer | null;
  /** HMAC of its format, mode and defaults. */
  head_digest: Buffer;
  mode: BatchMode;
  label: string | null;
  sent_by: string;
  received_at: Generated<Date>;
  /** Rows 1 to this one are stored. */
  received_count: Generated<number>;
  rejected_count: Generated<number>;
  /** These four without what `batch_change` adds. */
  answered_count: Generated<number>;
  failed_count: Generated<number>;
  closed_count: Generated<number>;
  erased_count: Generated<number>;
  /** The fencing token of the call that sends rows; null while none does. */
  receiver: string | null;
  receiving_until: Instant | null;
  /** When it took its last row. */
  completed_at: Instant | null;
  /** It was completed before its last row came. */
  cut_off: Generated<boolean>;
  canceled_at: Instant | null;
  ended_at: Instant | null;
  /** How many rows were answered when it ended; null until then. */
  outcome: BatchOutcome | null;
}

interface BatchRowTable {
  batch_id: string;
  row: number;
  /** HMAC of the row as sent; empty once erased. */
  digest: Buffer;
  /** Encrypted: the sender's own id; null for none, or once erased. */
  reference: Buffer | null;
  request_id: string | null;
  /** Why it is rejected, as JSON; null: it is not. */
  errors: unknown;
  closed: Generated<boolean>;
  received_at: Generated<Date>;
}

/** What changed the counters of a batch, until it is added to them. */
interface BatchChangeTable {
  batch_id: string;
  place: 'answered' | 'failed' | 'closed' | 'erased';
  /** Rows that came to the place; negative: that left it. */
  count: number;
}

interface BatchStagedTable {
  batch_id: string;
  row: number;
  /** Encrypted `RowRequest`. */
  request: Buffer;
}
