import type { Generated } from 'kysely';
import type { Instant } from './instant.ts';

export interface LimitTables {
  rate_budget: RateBudgetTable;
  account_limit: AccountLimitTable;
}

interface RateBudgetTable {
  policy: string;
  subject: string;
  /** GCRA's theoretical arrival time: when the whole quota is available again. */
  tat: Instant;
  /** Units granted to the last slice. */
  granted: number;
}

interface AccountLimitTable {
  account_id: string;
  policy: string;
  quota: number;
  window_seconds: number;
  set_at: Generated<Date>;
}
