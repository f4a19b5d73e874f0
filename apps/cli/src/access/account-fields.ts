import type { Account } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** One account, one field per line. */
export function accountFields(account: Account): string[] {
  return fields([
    ['account_id', account.account_id],
    ['name', account.name],
    ['kind', account.kind],
    ['mode', account.mode],
    ['created', account.created_at],
    ['suspended', account.suspended_at],
    ['retention', account.retention_days === null ? 'kept' : `${account.retention_days} days`],
  ]);
}
