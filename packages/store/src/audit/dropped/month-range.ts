import { type Kysely, sql } from 'kysely';
import { firstIdOf, partOf } from '../../months/log-parts.ts';
import { type Month, monthAfter } from '../../months/month.ts';
import type { Tables } from '../../tables/tables.ts';
import { BEFORE_ALL, firstLine, type LineRange } from '../lines/pages.ts';

/** The ids of a month's part of the log; null where the log has no such part, also where it has been detached. */
export async function rangeOfMonth(db: Kysely<Tables>, month: Month): Promise<LineRange | null> {
  const { rows } = await sql<{ is_first: boolean }>`
    select pg_get_expr(relpartbound, oid) like '%(MINVALUE)%' as is_first from pg_class
    where oid = to_regclass(${partOf(month)}) and relispartition`.execute(db);
  const [part] = rows;
  if (!part) return null;
  return { after: part.is_first ? BEFORE_ALL : firstIdOf(month) - 1n, through: lastIdOf(month) };
}

/** The highest id that a line of a month can have. */
export const lastIdOf = (month: Month): bigint => firstIdOf(monthAfter(month)) - 1n;

/** Whether a later month has a line. Ids never go back, so only transactions under way may still write one of this. */
export async function isOver(db: Kysely<Tables>, month: Month): Promise<boolean> {
  return (await firstLine(db, { after: lastIdOf(month), through: 2n ** 63n - 1n })) !== null;
}
