import { firstIdOf, LOG, partOf, type Month, monthAfter, monthAt } from '../months/log-parts.ts';

interface Database {
  /** Changes it as the role that owns the tables. */
  readonly sql: (text: string) => Promise<unknown>;
}

interface PassedMonth {
  readonly month: Month;
  /** Of its lines. */
  readonly firstId: bigint;
}

/**
 * Lets the log of a new database look as after so many months of service: it has a part for each month that passed, of
 * which the first takes all ids below as well, and new lines get ids of the present month.
 * @returns the months that passed, earliest first.
 */
export async function monthsPassed({ sql }: Database, count: number): Promise<PassedMonth[]> {
  const present = monthAt(Date.now());
  const months = Array.from({ length: count + 1 }, (_, index) => monthAfter(present, index - count));
  await sql(`drop table ${partOf(present)}`);
  for (const [index, month] of months.entries()) {
    const from = index === 0 ? 'minvalue' : firstIdOf(month);
    await sql(
      `create table ${partOf(month)} partition of ${LOG} for values from (${from}) to (${firstIdOf(monthAfter(month))})`,
    );
    await sql(
      `create trigger access_log_append_only before update or delete or truncate on ${partOf(month)}
       for each statement execute function refuse_change('${LOG}')`,
    );
  }
  await sql(`select setval('access_log_id', ${firstIdOf(present)}, false)`);
  return months.slice(0, -1).map((month, index) => ({ month, firstId: index === 0 ? 1n : firstIdOf(month) }));
}
