import type { Generated } from 'kysely';
import type { Instant } from '../instant.ts';

export interface LimitTables {
  rate_budget: RateBudgetTable;
  account_limit: AccountLimitTable;
}

interface RateBudgetTable {
  policy: string;
  subject: string;
  /** The theoretical arrival time of GCRA: when the whole quota is there again. */
  tat: Instant;
  /** Units that the last slice got. */
  granted: number;
}

interface AccountLimitTable {
  account_id: string;
  policy: string;
  quota: number;
  window_seconds: number;
  set_at: Generated<Date>;
}
