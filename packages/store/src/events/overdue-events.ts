import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { makeRequestEvent, writeEvents } from './write-event.ts';

/** Requests that one call reports; the next call reports the rest. */
const LIMIT = 200;

interface OverdueRow {
  readonly id: string;
  readonly account_id: string;
  readonly event_count: number;
  readonly overdue_at: Date;
}

/**
 * Writes the event `request.overdue` of each request that needed its first result by now, once. Any process may call it
 * at any time; it skips a request that another transaction has locked. `advanceWork` returns whether there are any.
 * @returns how many were written.
 */
export async function writeOverdueEvents({ db, vault }: Store): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<OverdueRow>`
      with late as (
        select id from request
        where needed_by <= now() and needed_by is not null and outcome = 'none' and overdue_at is null
          and erased_at is null
        order by needed_by limit ${LIMIT} for no key update skip locked
      )
      update request set overdue_at = now(), event_count = event_count + 1 from late where request.id = late.id
      returning request.id, request.account_id, event_count, overdue_at`.execute(trx);
    const events = rows.flatMap(
      ({ id: requestId, account_id: accountId, event_count: number, overdue_at: occurredAt }) =>
        makeRequestEvent(vault, {
          type: 'request.overdue',
          requestId,
          accountId,
          number,
          data: {},
          occurredAt,
        }) ?? [],
    );
    await writeEvents(trx, events);
    return events.length;
  });
}
