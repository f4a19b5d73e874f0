import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

// An endpoint misses events while it is disabled, and while its account is suspended. What it missed is not written
// down event by event: it is the events of that time that have no delivery to it, and the deliveries that were given up
// because it was off. What it did not take since a time is more: also the deliveries that were given up while it was on.

/** Missed events that are counted, and that one call posts: 10,000 deliveries are inserted in half a second. */
export const MISSED_COUNT_MAX = 10_000;

/**
 * Seconds by which the time is extended on both sides. An event has the time at which its transaction began, which may
 * be before the endpoint was disabled although the event was written after. One that was posted is never counted.
 */
const MARGIN_SECONDS = 60;

/** The columns of an endpoint that takes events again. It remembers when it was off, next to what it missed before. */
export const ENABLED = {
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  told_hours: 0,
  missed_from: sql<Date>`coalesce(missed_from, disabled_at)`,
  missed_until: sql<Date>`now()`,
} as const;

/** Whether an endpoint covers an event, by whose it is. A test is for one endpoint, and is not posted again. */
const IS_COVERED = sql`event.type <> 'endpoint.test'
    and case reach when 'own' then event.account_id = endpoint.account_id and event.type <> 'request.held'
      when 'test' then exists (select from account where account.id = event.account_id and mode = 'test')
      else true end`;

/**
 * Selects the id of each event that an endpoint did not take, with its delivery where one was given up.
 *
 * @param since null: those that it missed while it was off. Otherwise those since then that it has no delivery of, or
 *   whose delivery was given up; none from before the endpoint was created.
 */
export const missedEvents = (endpointId: string, since: Date | null): RawBuilder<unknown> =>
  since === null ? missedWhileOff(endpointId) : notTakenSince(endpointId, since);

const notTakenSince = (endpointId: string, since: Date) => sql`
  select event.id as event_id, lost.id as delivery_id, event.occurred_at
  from webhook_endpoint as endpoint
    join event on event.occurred_at >= greatest(${since}::timestamptz, endpoint.created_at) and ${IS_COVERED}
    left join delivery as lost on lost.event_id = event.id and lost.endpoint_id = endpoint.id
  where endpoint.id = ${endpointId}
    and case when lost.id is null then event.type = any (endpoint.types) else lost.status = 'exhausted' end`;

const missedWhileOff = (endpointId: string) => sql`
  select event.id as event_id, given_up.id as delivery_id, event.occurred_at
  from delivery as given_up join event on event.id = given_up.event_id
  where given_up.endpoint_id = ${endpointId} and given_up.status = 'exhausted' and given_up.reason = 'endpoint_off'
  union all
  select event.id, null, event.occurred_at
  from (
    select endpoint.*, least(missed_from, disabled_at, suspended_at) as off_from,
      case when disabled_at is null and suspended_at is null then missed_until else now() end as off_until
    from webhook_endpoint as endpoint join account on account.id = endpoint.account_id
    where endpoint.id = ${endpointId}
  ) as endpoint join event on event.occurred_at
      between greatest(off_from - make_interval(secs => ${MARGIN_SECONDS}), endpoint.created_at)
      and off_until + make_interval(secs => ${MARGIN_SECONDS})
    and event.type = any (endpoint.types) and ${IS_COVERED}
  where not exists (
    select from delivery where delivery.event_id = event.id and delivery.endpoint_id = ${endpointId})`;

/** Counts the events that {@link missedEvents} selects, 10,000 at most. */
export async function countMissed(
  db: Kysely<Tables>,
  endpointId: string,
  since: Date | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from (${missedEvents(endpointId, since)}) as missed limit ${MISSED_COUNT_MAX})
      as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Remembers, on each endpoint of an account that is resumed, since when it rested. One that is disabled stays so. */
export async function rememberRest(db: Kysely<Tables>, accountId: string, since: Date): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ missed_from: sql<Date>`least(missed_from, ${since})`, missed_until: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('subscription', 'is', null)
    .execute();
}
