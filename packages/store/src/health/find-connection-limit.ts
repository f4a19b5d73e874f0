import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/** How many connections the server takes from the service's role, in all. */
export async function findConnectionLimit({ db }: Store): Promise<number> {
  // -1 is no limit of their own. `reserved_connections` is PostgreSQL 16's.
  const { rows } = await sql<{ limit: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as limit`.execute(db);
  return rows[0]?.limit ?? 0;
}
