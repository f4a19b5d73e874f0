import { sql } from 'kysely';
import type { Store } from '../../src/index.ts';

/** The rows of all tables that an operation of a session reads, by an index or not. The session has one connection. */
export async function rowsReadBy({ db }: Store, operation: () => Promise<unknown>): Promise<number> {
  const rowsSoFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ count: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_user_tables`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  };
  const before = await rowsSoFar();
  await operation();
  return (await rowsSoFar()) - before;
}
