import { type ChannelStats, ErrorReason } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { Store } from '../open-store.ts';
import type { Route } from './route.ts';

/**
 * The current state of one channel of a payer's route, and its last 24 hours, for live requests or those of test
 * accounts. In the API's form, except for the payer's name, which only the configuration knows.
 */
export interface ChannelMeasure extends Omit<ChannelStats, 'payer'> {
  payer_id: string;
}

type MeasureRow = Omit<ChannelMeasure, 'failures'> & {
  failures: { error_reason: string; count: number }[] | null;
};

/** Measures every channel of the routes, in order, for live requests or those of test accounts. */
export async function measureWork(
  { db }: Store,
  { routes, mode }: { readonly routes: readonly Route[]; readonly mode: Caller['mode'] },
): Promise<ChannelMeasure[]> {
  const sandbox = sql.lit(mode === 'test');
  const places = routes.flatMap((route) =>
    route.channels.map((channel, index) => ({ payerId: route.payerId, channel, isFirst: index === 0 })),
  );
  const { rows } = await sql<MeasureRow>`
    with place as (
      select * from unnest(
        ${places.map(({ payerId }) => payerId)}::text[], ${places.map(({ channel }) => channel.source)}::text[],
        ${places.map(({ isFirst }) => isFirst)}::boolean[], ${places.map(({ channel }) => channel.secondsMax)}::float8[]
      ) with ordinality as place (payer_id, channel, is_first, seconds_max, number)
    ), standing as (
      select payer_id, channel,
        count(*) filter (where lease_token is null) as waiting,
        count(*) filter (where lease_token is not null) as leased,
        min(work_due_at) filter (where lease_token is null) as oldest_due_at
      from request where outcome = 'none' and sandbox = ${sandbox}
      group by payer_id, channel
    ), calling as (
      select request.payer_id, request.channel, count(*) as count
      from verification_attempt as attempt join request on request.id = attempt.request_id
      where attempt.on_call_until > now() and attempt.ended_at is null and request.sandbox = ${sandbox}
      group by request.payer_id, request.channel
    ), overdue as (
      select place.number, count(*) as count from place join request on request.payer_id = place.payer_id
      where request.outcome = 'none' and request.sandbox = ${sandbox} and (
          request.channel = place.channel and request.channel_until <= now()
          or place.is_first and request.channel = 'entry'
            and request.work_due_at <= now() - make_interval(secs => place.seconds_max)
        )
      group by place.number
    ), ended as (
      select attempt.payer_id, attempt.channel, attempt.outcome, attempt.error_reason,
        extract(epoch from attempt.ended_at - request.received_at)::float8 as seconds_to_result,
        extract(epoch from attempt.ended_at - attempt.started_at)::float8 as seconds
      from verification_attempt as attempt join request on request.id = attempt.request_id
      where attempt.ended_at > now() - interval '24 hours' and request.sandbox = ${sandbox}
        and attempt.outcome in ('succeeded', 'failed')
    ), done as (
      select payer_id, channel,
        count(*) filter (where outcome = 'succeeded') as succeeded,
        count(*) filter (where outcome = 'failed') as failed,
        percentile_cont(0.5) within group (order by seconds_to_result) filter (where outcome = 'succeeded') as p50,
        percentile_cont(0.9) within group (order by seconds_to_result) filter (where outcome = 'succeeded') as p90,
        avg((seconds <= 20)::int)::float8 as share
      from ended group by payer_id, channel
    ), reason as (
      select payer_id, channel,
        jsonb_agg(jsonb_build_object('error_reason', error_reason, 'count', count) order by count desc, error_reason) as failures
      from (select payer_id, channel, error_reason, count(*) as count from ended
        where error_reason is not null group by payer_id, channel, error_reason) as counted
      group by payer_id, channel
    )
    select place.payer_id, place.channel,
      coalesce(sum(standing.waiting), 0)::int as waiting_count,
      coalesce(sum(standing.leased), 0)::int as leased_count,
      coalesce(max(calling.count), 0)::int as on_call_count,
      coalesce(max(overdue.count), 0)::int as overdue_count,
      case when min(standing.oldest_due_at) is not null
        then greatest(extract(epoch from now() - min(standing.oldest_due_at)), 0)::float8 end as oldest_seconds,
      coalesce(max(done.succeeded), 0)::int as succeeded_count,
      coalesce(max(done.failed), 0)::int as failed_count,
      max(done.p50) as seconds_to_result_p50, max(done.p90) as seconds_to_result_p90,
      max(done.share) as within_20_seconds_share,
      (array_agg(reason.failures))[1] as failures
    from place
    left join standing on standing.payer_id = place.payer_id
      and (standing.channel = place.channel or (place.is_first and standing.channel = 'entry'))
    left join calling on calling.payer_id = place.payer_id and calling.channel = place.channel
    left join overdue on overdue.number = place.number
    left join done on done.payer_id = place.payer_id and done.channel = place.channel
    left join reason on reason.payer_id = place.payer_id and reason.channel = place.channel
    group by place.number, place.payer_id, place.channel
    order by place.number`.execute(db);
  return rows.map((row) => ({ ...row, failures: (row.failures ?? []).flatMap(toFailureCount) }));
}

/** Omits a reason removed from the registry. */
function toFailureCount({ error_reason, count }: { error_reason: string; count: number }) {
  const { data: reason } = ErrorReason.safeParse(error_reason);
  return reason === undefined ? [] : [{ error_reason: reason, count }];
}
