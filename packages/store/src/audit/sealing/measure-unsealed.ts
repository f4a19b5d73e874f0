import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

export interface Unsealed {
  /** Age of the oldest line that is not sealed; 0 when all are. */
  readonly oldestSeconds: number;
  /** When it happened; null when all are sealed. */
  readonly since: Date | null;
  /** Ids given since the last sealed line: about as many lines. */
  readonly idCount: number;
}

/** What waits for its seal, from two ends of an index: it costs the same however much that is. */
export async function measureUnsealed({ db }: Pick<Store, 'db'>): Promise<Unsealed> {
  const { rows } = await sql<{ seconds: number; at: Date; ids: string }>`
    select greatest(extract(epoch from now() - at), 0)::float8 as seconds, at,
      (select max(id) from access_log) - sealed.last_id as ids
    from (select coalesce((select last_id from audit_seal order by number desc limit 1), 0) as last_id) as sealed
    cross join lateral (
      select at from access_log where id > sealed.last_id order by id limit 1
    ) as oldest`.execute(db);
  const [row] = rows;
  return row
    ? { oldestSeconds: row.seconds, since: row.at, idCount: Number(row.ids) }
    : { oldestSeconds: 0, since: null, idCount: 0 };
}
