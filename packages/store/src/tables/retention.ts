import type { Generated } from 'kysely';
import type { Instant } from './instant.ts';

export interface RetentionTables {
  erasure_later: ErasureLaterTable;
  retention_change: RetentionChangeTable;
}

/** Requests that were not old enough when their account's turn came. */
interface ErasureLaterTable {
  account_id: string;
  request_id: string;
  /** They are finished no earlier. */
  since: Instant;
}

interface RetentionChangeTable {
  account_id: string;
  changed_at: Generated<Date>;
  /** A key or a person. */
  changed_by: string;
  days_before: number | null;
  days_after: number | null;
}
