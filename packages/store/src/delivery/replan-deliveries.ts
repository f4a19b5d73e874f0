import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/** Rows of one call. What is left is for the next one. */
const ROWS_MAX = 1_000;

/**
 * Plans again what was planned more than 5 s in the future: the clock has been set back since, and the wait, of a retry or
 * of a first attempt, begins now. Otherwise it would be longer by as much as the clock was ahead.
 * @returns how many deliveries
 */
export async function replanDeliveries({ db }: Store): Promise<number> {
  const { rows } = await sql`
    with ahead as (
      select delivery_id from delivery_queue where planned_at > now() + interval '5 seconds'
      order by planned_at limit ${ROWS_MAX} for no key update skip locked
    )
    update delivery_queue set run_at = now() + greatest(run_at - planned_at, interval '0'), planned_at = now()
    from ahead where delivery_queue.delivery_id = ahead.delivery_id
    returning delivery_queue.delivery_id`.execute(db);
  return rows.length;
}
