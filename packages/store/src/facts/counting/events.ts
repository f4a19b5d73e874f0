import { type RawBuilder, sql } from 'kysely';
import { NEWEST_MONTH_FIRST } from '../../delivery/listing/newest-month-first.ts';
import type { FactKind } from '../fact-kind.ts';

/** A condition on the time when a row was written. */
export type Within = (time: RawBuilder<unknown>) => RawBuilder<unknown>;

/** The kinds of {@link attemptsWithin}. */
export const KINDS_OF_ATTEMPTS: readonly FactKind[] = ['attempt_succeeded', 'attempt_failed', 'completed'];

const kind = (name: FactKind) => sql`${sql.lit(name)}::text`;
const msBetween = (start: string, end: string) =>
  sql`(extract(epoch from ${sql.ref(end)} - ${sql.ref(start)}) * 1000)::bigint`;

/**
 * The request of a row, looked up for it alone: joined to the rows of a window, the planner might read the requests of all
 * months instead.
 */
const requestOf = (table: 'result' | 'held_output') => sql`lateral (
  select account_id, payer_id, received_at from request where request.id = ${sql.ref(`${table}.request_id`)} offset 0
) as request`;

/**
 * The events that were written at some time, one row each: `account_id`, `kind`, `at`, `payer_id`, `channel`, `reason`,
 * `ms`. Each source has one time that never changes and that the database's clock set when the row was written, so an
 * event is in exactly one of the windows that follow each other. `at` may be another, when the sender's clock tells the
 * event's time.
 */
export function eventsWithin(within: Within): RawBuilder<unknown> {
  return sql`
    select account_id::text, ${kind('received')} as kind, received_at as at, payer_id, '' as channel, '' as reason,
      null::bigint as ms
    from request where ${within(sql`received_at`)}
  union all
    select request.account_id, case when result.version > 1 then ${kind('corrected')}
        when result.outcome = 'complete' then ${kind('completed')} else ${kind('not_verified')} end,
      result.applied_at, request.payer_id, coalesce(attempt.channel, ''),
      case when result.outcome = 'complete' or result.version > 1 then '' else coalesce(attempt.error_reason, '') end,
      case when result.version = 1 then ${msBetween('request.received_at', 'result.applied_at')} end
    from result cross join ${requestOf('result')} left join lateral (
      select channel, error_reason from verification_attempt
      where verification_attempt.request_id = result.request_id and result_version = result.version
      offset 0
    ) as attempt on true
    where ${within(sql`result.applied_at`)}
  union all
    select account_id, case outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
      ended_at, payer_id, coalesce(channel, ''), coalesce(error_reason, ''), ${msBetween('started_at', 'ended_at')}
    from verification_attempt
    where ${within(sql`ended_at`)} and outcome in ('succeeded', 'failed')
  union all
    select account_id, case when status_code between 200 and 299 and answer is not null
        then ${kind('payer_answered')} else ${kind('payer_silent')} end,
      started_at, payer_id, 'api', coalesce(error_reason, ''), duration_ms
    from x12_exchange where ${within(sql`coalesce(recorded_at, started_at)`)}
  union all
    select delivery.account_id, event.kind, event.at, '', '', event.reason, event.ms
    from delivery_attempt as attempt cross join lateral (
      select account_id, accepted_at from delivery where delivery.id = attempt.delivery_id ${NEWEST_MONTH_FIRST}
    ) as delivery
    cross join lateral (select coalesce(attempt.recorded_at, attempt.at) as at) as written
    cross join lateral (
      select ${kind('sent')} as kind, written.at, attempt.outcome as reason, attempt.duration_ms as ms
      union all
      select ${kind('delivered')}, written.at, '', greatest(${msBetween('delivery.accepted_at', 'written.at')}, 0)
      where attempt.outcome = 'succeeded' and not exists (
        select from delivery_attempt as earlier
        where earlier.delivery_id = attempt.delivery_id and earlier.number < attempt.number
          and earlier.outcome = 'succeeded')
    ) as event
    where ${within(sql`coalesce(attempt.recorded_at, attempt.at)`)}
  union all
    select coalesce(request.account_id, ''), ${kind('held')}, held_output.received_at, coalesce(request.payer_id, ''), '',
      held_output.reason, null
    from held_output left join ${requestOf('held_output')} on true
    where ${within(sql`held_output.received_at`)}
  union all
    select coalesce(request.account_id, ''), 'held_' || held_output.status, held_output.settled_at,
      coalesce(request.payer_id, ''), '', held_output.reason, ${msBetween('held_output.received_at', 'held_output.settled_at')}
    from held_output left join ${requestOf('held_output')} on true
    where ${within(sql`held_output.settled_at`)}`;
}

/**
 * Of these events those that the attempts tell alone: a first result that found out ends the attempt that it came from,
 * or writes one, in its transaction. An index of the ends of attempts finds them, in a few pages of any number; by the
 * results' index of times one reads a line for each 32 pages that there are.
 * @param requests a condition on an id of requests, which chooses the months that are looked at.
 */
export function attemptsWithin(within: Within, requests: (id: RawBuilder<unknown>) => RawBuilder<unknown>) {
  return sql`
    select attempt.account_id, event.kind, attempt.ended_at as at, attempt.payer_id,
      coalesce(attempt.channel, '') as channel, event.reason, event.ms
    from verification_attempt as attempt cross join lateral (
      select case attempt.outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
        coalesce(attempt.error_reason, ''), ${msBetween('attempt.started_at', 'attempt.ended_at')}
      union all
      select ${kind('completed')}, '', ${msBetween('request.received_at', 'attempt.ended_at')}
      from request
      where request.id = attempt.request_id and ${requests(sql`request.id`)} and attempt.result_version = 1 and attempt.outcome = 'succeeded'
    ) as event (kind, reason, ms)
    where ${within(sql`attempt.ended_at`)} and ${requests(sql`attempt.request_id`)}
      and attempt.outcome in ('succeeded', 'failed')`;
}
