import type { HeldStats } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';
import { heldWithin } from './held-within.ts';

const COUNT_MAX = 10_000;

/**
 * How many outputs within the caller's reach wait for an operator, 10,000 at most, and since when the first of them
 * does. Reads the index of those that wait; the counters of {@link measureHeldOutputs} know no reach.
 */
export async function countHeldOutputs(
  { db }: Pick<Store, 'db'>,
  { caller }: { readonly caller: Caller },
): Promise<HeldStats> {
  const waiting = sql`held_output where status = 'held' and ${heldWithin(caller)}`;
  const { rows } = await sql<{ open_count: number; oldest_received_at: Date | null }>`
    select (select count(*)::int from (select from ${waiting} limit ${COUNT_MAX}) as counted) as open_count,
      (select received_at from ${waiting} order by id limit 1) as oldest_received_at`.execute(db);
  const [row] = rows;
  return {
    open_count: row?.open_count ?? 0,
    oldest_received_at: row?.oldest_received_at?.toISOString() ?? null,
  };
}
