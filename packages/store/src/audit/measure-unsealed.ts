import { sql } from 'kysely';
import { IDS_PER_MONTH } from '../months/log-parts.ts';
import type { Store } from '../open-store.ts';
import { BEFORE_ALL } from './pages.ts';

interface Unsealed {
  /** Age of the oldest line that is not sealed; 0 when all are. */
  readonly oldestSeconds: number;
  /** When it happened; null when all are sealed. */
  readonly since: Date | null;
  /** Ids given since the last sealed line: about as many lines. */
  readonly idCount: number;
}

/**
 * What waits for its seal, from the ends of an index: it costs the same however much that is. Ids of each month begin at
 * a number of their own, so each month's are counted by themselves.
 */
export async function measureUnsealed({ db }: Pick<Store, 'db'>): Promise<Unsealed> {
  const endOfMonth = sql`(first / ${IDS_PER_MONTH}::bigint + 1) * ${IDS_PER_MONTH}::bigint`;
  const { rows } = await sql<{ seconds: number; at: Date; ids: string }>`
    with recursive month as (
      select min(id) as first from access_log
      where id > coalesce((select last_id from audit_seal order by number desc limit 1), 0)
      union all
      select (select min(id) from access_log where id >= ${endOfMonth}) from month where first is not null
    )
    select greatest(extract(epoch from now() - at), 0)::float8 as seconds, at, (
      select sum((select max(id) from access_log where id < ${endOfMonth}) - first + 1) from month
    ) as ids
    from access_log where id = (select min(first) from month)`.execute(db);
  const [row] = rows;
  return row
    ? { oldestSeconds: row.seconds, since: row.at, idCount: Number(row.ids) }
    : { oldestSeconds: 0, since: null, idCount: 0 };
}

/** How many lines are not sealed, each counted, and the age of the oldest as it states it itself; 0 when all are. */
export async function countUnsealed({
  db,
}: Pick<Store, 'db'>): Promise<{ readonly lineCount: number; readonly oldestSeconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*)::float8 as count,
      coalesce(greatest(extract(epoch from now() - min(at)), 0), 0)::float8 as seconds
    from access_log
    where id > coalesce((select last_id from audit_seal order by number desc limit 1), ${BEFORE_ALL})`.execute(
    db,
  );
  return { lineCount: rows[0]?.count ?? 0, oldestSeconds: rows[0]?.seconds ?? 0 };
}
