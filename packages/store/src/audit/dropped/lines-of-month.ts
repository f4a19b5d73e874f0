import { type Kysely, sql } from 'kysely';
import { type Month, monthAfter, startOf } from '../../partitions/month.ts';
import { AUDIT } from '../../partitions/monthly-tables.ts';
import type { Tables } from '../../tables.ts';
import type { LineRange } from '../lines/pages.ts';

/** The lines that go with a month. */
export interface MonthLines {
  /** From the first to the last, with the time that tells them from the next month's. */
  readonly range: Required<LineRange>;
  readonly firstId: bigint;
  readonly lastId: bigint;
  /** The first line that is of a later month; null for none. */
  readonly firstLater: bigint | null;
}

/**
 * The lines of a month by their time, and with the oldest month whatever is older. Null without any: also where its
 * table has been detached.
 */
export async function linesOfMonth(db: Kysely<Tables>, month: Month): Promise<MonthLines | null> {
  const start = new Date(startOf(month));
  const end = new Date(startOf(monthAfter(month)));
  const { rows: older } = await sql`
    select from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${AUDIT}::regclass and relname ~ '_\\d{4}_\\d\\d$'
      and relname < ${`${AUDIT}_${month.replace('-', '_')}`}`.execute(db);
  const during = older.length > 0 ? sql<boolean>`at >= ${start} and at < ${end}` : sql<boolean>`at < ${end}`;
  const { rows } = await sql<{ first: string | null; last: string | null; later: string | null }>`
    select (select min(id) from access_log where ${during}) as first,
      (select max(id) from access_log where ${during}) as last,
      (select min(id) from access_log where at >= ${end}) as later`.execute(db);
  const { first = null, last = null, later = null } = rows[0] ?? {};
  if (first === null || last === null) return null;
  const [firstId, lastId] = [BigInt(first), BigInt(last)];
  return {
    range: { after: firstId - 1n, through: lastId, during },
    firstId,
    lastId,
    firstLater: later === null ? null : BigInt(later),
  };
}
