import { type LogPart, readLogParts } from './log-parts.ts';
import { withDirectClient } from './with-direct-client.ts';

/**
 * The size of a month's partition of the access log. `rowCount`: an estimate, of the server's last `analyze`;
 * `byteCount`: with indexes.
 */
export type MonthSize = Pick<LogPart, 'month' | 'rowCount' | 'byteCount'>;

/**
 * The partitions of the access log, earliest first. `earlier` and `later` are those of ids below and above all months.
 */
export async function listMonths(connectionString: string): Promise<MonthSize[]> {
  return withDirectClient(connectionString, readLogParts);
}
