import type { Generated } from 'kysely';
import type { FactKind } from './fact-kind.ts';

export interface FactTables {
  hourly_fact: HourlyFactTable;
  fact_progress: FactProgressTable;
  queue_depth: QueueDepthTable;
  queue_count: QueueCountTable;
}

interface HourlyFactTable {
  /** An account's id; `live` or `test` for all accounts of that mode. */
  account_id: string;
  kind: FactKind;
  hour: Date;
  /** Empty where it does not apply, like the next two. */
  payer_id: string;
  channel: string;
  reason: string;
  count: number;
  sum_ms: string;
  max_ms: string;
  /** Null where nothing is timed. Ascending. */
  buckets: number[] | null;
  bucket_counts: number[] | null;
}

interface FactProgressTable {
  id: Generated<boolean>;
  counted_until: Date;
  /** Events in the last batch. */
  event_count: number;
}

/** A queue whose depth is counted. */
export type QueueKind = 'work' | 'delivery';

interface QueueDepthTable {
  queue: QueueKind;
  account_id: string;
  payer_id: string;
  channel: string;
  waiting_count: number;
  leased_count: number;
  overdue_count: number;
  claimable_count: number;
  oldest_due_at: Date | null;
  oldest_claimable_at: Date | null;
}

interface QueueCountTable {
  queue: QueueKind;
  counted_at: Date;
  row_count: number;
  duration_ms: number;
}
