import { type LogPart, readLogParts } from './log-parts.ts';
import { withDirectClient } from './with-direct-client.ts';

/** What a month's part of the log holds, as the server last counted it. */
export type MonthSize = Pick<LogPart, 'month' | 'rowCount' | 'byteCount'>;

/** The months whose lines the log has, earliest first; `earlier` and `later` hold what belongs to none of them. */
export async function listMonths(connectionString: string): Promise<MonthSize[]> {
  return withDirectClient(connectionString, readLogParts);
}
