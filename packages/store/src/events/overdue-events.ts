import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { writeEventFunction } from './write-event.sql.ts';

/** Requests that one call reports; the next call reports the rest. */
const LIMIT = 200;

/**
 * Writes the event `request.overdue` of each request that needed its first result by now, once. Any process may call it
 * at any time; it skips a request that another transaction has locked.
 * @returns how many were written.
 */
export async function writeOverdueEvents({ db }: Store): Promise<number> {
  const { rows } = await sql`
    with late as (
      select id from request
      where needed_by <= now() and needed_by is not null and outcome = 'none' and overdue_at is null and erased_at is null
      order by needed_by limit ${LIMIT} for no key update skip locked
    ), marked as (
      update request set overdue_at = now(), event_count = event_count + 1 from late where request.id = late.id
      returning request.id, request.account_id, event_count
    )
    select ${sql.raw(writeEventFunction.name)}('request.overdue', account_id, id, event_count,
      jsonb_build_object('request_id', id), null) from marked`.execute(db);
  return rows.length;
}
