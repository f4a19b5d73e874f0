import { type IdPrefix, issuedIdAt } from '../issued-id.ts';
import { type Month, startOf } from './month.ts';

/** A table with one partition per month, by what its rows are keyed by. */
export interface MonthlyTable {
  readonly name: string;
  readonly key: string;
  /** Of the ids in the key; null for a time. */
  readonly prefix: IdPrefix | null;
}

/** Whatever else is about one that is gone is found no more: a month's are removed first. */
export const REQUESTS = 'request';

/** What grows. */
export const MONTHLY_TABLES: readonly MonthlyTable[] = [
  { name: REQUESTS, key: 'id', prefix: 'req' },
  { name: 'result', key: 'request_id', prefix: 'req' },
  { name: 'verification_attempt', key: 'request_id', prefix: 'req' },
  { name: 'x12_exchange', key: 'request_id', prefix: 'req' },
  { name: 'delivery', key: 'request_id', prefix: 'req' },
  { name: 'delivery_attempt', key: 'delivery_id', prefix: 'msg' },
  { name: 'access_log', key: 'at', prefix: null },
];

/** The audit, which is removed only by name. */
export const AUDIT = 'access_log';

/** The lowest key of a month, as {@link readPartitions} tells it. */
export function boundOf({ prefix }: Pick<MonthlyTable, 'prefix'>, month: Month): string {
  return prefix === null ? `${month}-01 00:00:00+00` : issuedIdAt(prefix, startOf(month));
}

/** The name of a month's partition. */
export const partitionOf = (table: string, month: Month): string => `${table}_${month.replace('-', '_')}`;
