import { type Month } from './month.ts';
import { AUDIT } from './monthly-tables.ts';
import { type Partition, readPartitions } from './read-partitions.ts';
import { withDirectClient } from './with-direct-client.ts';

/** What a month's tables hold, as the server last counted it. */
export interface MonthSize {
  /** `earlier` and `later` hold what belongs to no month that has tables of its own. */
  readonly month: Month | 'earlier' | 'later';
  readonly resultCount: number;
  /** All tables but the audit's, with their indexes. */
  readonly byteCount: number;
  readonly auditByteCount: number;
}

/** The months that have tables, earliest first. */
export async function listMonths(connectionString: string): Promise<MonthSize[]> {
  const byMonth = Map.groupBy(await withDirectClient(connectionString, readPartitions), ({ month }) => month);
  return [...byMonth]
    .toSorted(([one], [other]) => placeOf(one).localeCompare(placeOf(other)))
    .map(([month, parts]) => ({
      month,
      resultCount: parts.find(({ table }) => table === 'result')?.rowCount ?? 0,
      byteCount: sum(parts.filter(({ table }) => table !== AUDIT)),
      auditByteCount: sum(parts.filter(({ table }) => table === AUDIT)),
    }));
}

function placeOf(month: Partition['month']): string {
  if (month === 'earlier') return '0';
  return month === 'later' ? '9' : month;
}

const sum = (parts: readonly Partition[]) => parts.reduce((total, { byteCount }) => total + byteCount, 0);
