import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/**
 * Seconds for which the oldest transaction of this database has held its snapshot, prepared ones included; 0 for none. As
 * long, no vacuum removes what was deleted or replaced since, and the queues' claims walk past it. Of other roles' sessions
 * it sees those that the role may read: all of them with `pg_read_all_stats`.
 */
export async function measureSnapshots({ db }: Store): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from (
      select xact_start as since from pg_stat_activity
      where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
      union all
      select prepared from pg_prepared_xacts where database = current_database()
    ) as held`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
}
