import { sql } from 'kysely';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import type { Inside, MadeEvent } from './write-event.ts';
import { makeEvent, writeEvents } from './write-event.ts';

/** How long a payer does not answer before its outage is reported. */
const SILENT_SECONDS = 120;

/** Of one payer there is one report in so many seconds at most. */
const QUIET_SECONDS = 600;

interface OutageRow {
  readonly payer_id: string;
  readonly since: Date;
  readonly is_over: boolean;
  /** The accounts that get the event. */
  readonly account_ids: readonly string[];
  readonly now: Date;
}

/**
 * Writes `payer.unavailable` to each account with a request that waits for a payer which has not answered for two minutes,
 * and `payer.recovered` to the same accounts once it answers. Any process may call it at any time.
 * @returns how many events were written.
 */
export async function writeOutageEvents(
  { db, vault }: Store,
  nameOf: (payerId: string) => string,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<OutageRow>`
      with due as materialized (
        select payer_id, since, ended_at is not null as is_over, reported_to from payer_outage
        where not settled and (ended_at is not null or reported_at is null
          and since <= now() - make_interval(secs => ${SILENT_SECONDS}) and not exists (
            select from payer_outage as earlier where earlier.payer_id = payer_outage.payer_id
              and earlier.reported_at > now() - make_interval(secs => ${QUIET_SECONDS})))
        for no key update skip locked
      ), concerned as (
        select payer_id, since, is_over, case when is_over then reported_to else array(
          select distinct account_id::text from work_queue
          where work_queue.payer_id = due.payer_id and channel in ('entry', 'api') and pool = 'live'
            and account_id <> ${KNOWN_ANSWERS_ACCOUNT_ID}
        ) end as account_ids from due
      )
      update payer_outage set settled = is_over, reported_to = account_ids,
        reported_at = case when is_over then reported_at else now() end
      from concerned where payer_outage.payer_id = concerned.payer_id and payer_outage.since = concerned.since
      returning payer_outage.payer_id, payer_outage.since, is_over, account_ids, now() as now`.execute(trx);
    const events = rows.flatMap((row) => eventsOf(vault, row, nameOf(row.payer_id)));
    await writeEvents(trx, events);
    return events.length;
  });
}

const eventsOf = (
  vault: Inside['vault'],
  { since, is_over: isOver, account_ids: accountIds, now: occurredAt }: OutageRow,
  payer: string,
): MadeEvent[] =>
  accountIds.map((accountId) =>
    makeEvent(vault, {
      type: isOver ? 'payer.recovered' : 'payer.unavailable',
      accountId,
      subjectId: accountId,
      data: { payer, since: since.toISOString() },
      occurredAt,
    }),
  );
