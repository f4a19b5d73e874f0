import { type RawBuilder, sql } from 'kysely';
import type { FactKind } from '../../tables/fact-kind.ts';

/** A condition on the time when a row was written. */
export type Within = (time: RawBuilder<unknown>) => RawBuilder<unknown>;

/** The kinds of {@link attemptsWithin}. */
export const KINDS_OF_ATTEMPTS: readonly FactKind[] = ['attempt_succeeded', 'attempt_failed', 'completed'];

const kind = (name: FactKind) => sql`${sql.lit(name)}::text`;
const msBetween = (start: string, end: string) =>
  sql`(extract(epoch from ${sql.ref(end)} - ${sql.ref(start)}) * 1000)::bigint`;

/** Worded as its index is, so that the index is used. */
const NEEDED_AT = sql`greatest(request.needed_by, request.received_at)`;

/**
 * The events that were written at some time, one row each: `account_id`, `kind`, `at`, `payer_id`, `channel`, `reason`,
 * `ms`. Each source has one time that never changes and that the database's clock set when the row was written, so an
 * event is in exactly one of the windows that follow each other. `at` may be another, when the sender's clock gives the
 * event's time. When a request is needed is said beforehand, but not before it is received; whether it was met is known once
 * every transaction of that time has ended, and only then it is counted.
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
    from result join request on request.id = result.request_id
      left join verification_attempt as attempt
        on attempt.request_id = result.request_id and attempt.result_version = result.version
    where ${within(sql`result.applied_at`)}
  union all
    select request.account_id,
      case when first.applied_at <= request.needed_by then ${kind('met')} else ${kind('overdue')} end,
      ${NEEDED_AT}, request.payer_id, '', '', null
    from request left join result as first on first.request_id = request.id and first.version = 1
    where request.needed_by is not null and ${NEEDED_AT} <= now() and ${within(NEEDED_AT)}
  union all
    select account_id, case outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
      ended_at, payer_id, coalesce(channel, ''), coalesce(error_reason, ''), ${msBetween('started_at', 'ended_at')}
    from verification_attempt
    where ${within(sql`ended_at`)} and outcome in ('succeeded', 'failed')
  union all
    select account_id, case when status_code between 200 and 299 and answer is not null
        then ${kind('payer_answered')} else ${kind('payer_silent')} end,
      started_at, payer_id, 'api', coalesce(error_reason, ''), duration_ms
    from x12_exchange where ${within(sql`recorded_at`)}
  union all
    select delivery.account_id, event.kind, event.at, '', '', event.reason, event.ms
    from delivery_attempt as attempt join delivery on delivery.id = attempt.delivery_id
    cross join lateral (
      select ${kind('sent')} as kind, attempt.recorded_at as at, attempt.outcome as reason, attempt.duration_ms as ms
      union all
      select ${kind('delivered')}, attempt.recorded_at, '',
        greatest(${msBetween('delivery.accepted_at', 'attempt.recorded_at')}, 0)
      where attempt.outcome = 'succeeded' and not exists (
        select from delivery_attempt as earlier
        where earlier.delivery_id = attempt.delivery_id and earlier.number < attempt.number
          and earlier.outcome = 'succeeded')
    ) as event
    where ${within(sql`attempt.recorded_at`)}
  union all
    select coalesce(request.account_id, ''), ${kind('held')}, held_output.received_at, coalesce(request.payer_id, ''), '',
      held_output.reason, null
    from held_output left join request on request.id = held_output.request_id
    where ${within(sql`held_output.received_at`)}
  union all
    select coalesce(request.account_id, ''), 'held_' || held_output.status, held_output.settled_at,
      coalesce(request.payer_id, ''), '', held_output.reason, ${msBetween('held_output.received_at', 'held_output.settled_at')}
    from held_output left join request on request.id = held_output.request_id
    where ${within(sql`held_output.settled_at`)}`;
}

/**
 * Of these events those that the attempts show alone: a first result that found out ends the attempt that it came from,
 * or writes one, in its transaction. An index of the ends of attempts finds them, in a few pages of any number; by the
 * results' index of times one reads a line for each 32 pages that there are.
 */
export function attemptsWithin(within: Within): RawBuilder<unknown> {
  return sql`
    select attempt.account_id, event.kind, attempt.ended_at as at, attempt.payer_id,
      coalesce(attempt.channel, '') as channel, event.reason, event.ms
    from verification_attempt as attempt cross join lateral (
      select case attempt.outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
        coalesce(attempt.error_reason, ''), ${msBetween('attempt.started_at', 'attempt.ended_at')}
      union all
      select ${kind('completed')}, '', ${msBetween('request.received_at', 'attempt.ended_at')}
      from request
      where request.id = attempt.request_id and attempt.result_version = 1 and attempt.outcome = 'succeeded'
    ) as event (kind, reason, ms)
    where ${within(sql`attempt.ended_at`)} and attempt.outcome in ('succeeded', 'failed')`;
}
