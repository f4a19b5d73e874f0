import { itsWork, theLocked, theRequest } from '../../../functions/by-id.ts';
import { BY_INDEX_ALONE } from '../../../functions/by-index-alone.ts';
import { databaseFunction } from '../../../functions/database-function.ts';
import { BEGIN_KEEPING_QUEUES, END_KEEPING_QUEUES } from '../../../functions/keep-queues.ts';
import { endLapsedAttemptFunction } from './end-lapsed-attempt.sql.ts';
import { noteServedFunction } from './note-served.sql.ts';

/**
 * Leases candidates in their order, those that are still as their queue says and that nobody else has locked, up to a
 * number of rows and of bytes, and at least one; writes their queue, the attempts, the access and that the accounts were
 * served.
 * A named candidate may stand there once for each queue of its payer; it is waited for, since no other is wanted. The
 * lowest and the highest id choose the months; see `theRequest`.
 *
 * Locked by a statement of its own: one that also changed them would not find a request that somebody else has changed
 * since it began, and a claim would go without.
 */
export const leaseWorkFunction = databaseFunction(
  'lease_work',
  (name) => `create function ${name}(
    ids text[], queues text[], channels text[], seconds_max float8[], attempt_counts_max integer[],
    first_id text, last_id text, pool text, is_named boolean, rows_max integer, bytes_max integer,
    lease_seconds float8, by_key_id text, by_account_id text, operation text
  ) returns table (
    place bigint, id text, account_id text, payer_id text, lease_channel text, lease_token uuid, lease_until timestamptz,
    verification_attempt_count integer, input bytea, received_at timestamptz, outcome text, outcome_reason bytea,
    delivery text, delivery_reason text
  ) language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    places bigint[];
    lapses timestamptz[];
    request_tables oid[];
    request_places tid[];
  begin
    if is_named then
      perform from request where id between first_id and last_id for no key update;
    end if;
    select array_agg(place order by place), array_agg(lapsed_at order by place),
      array_agg(request_table order by place), array_agg(request_place order by place)
    into places, lapses, request_tables, request_places
    from (
      select *, sum(size) over (order by place) - size as bytes_before
      from (
        select candidate.place, request.*
        from (
          select * from unnest(ids, queues, channels, attempt_counts_max) with ordinality
            as asked (id, of_queue, to_channel, attempt_count_max, place)
          order by place offset 0
        ) as candidate
        cross join lateral (
          select request.tableoid as request_table, request.ctid as request_place, lease_until as lapsed_at,
            octet_length(input) as size
          from request
          where ${theRequest('candidate.id')} and outcome = 'none' and channel = of_queue
            and (lease_until is null or lease_until <= now())
            and (of_queue <> to_channel or channel_attempt_count < attempt_count_max)
            and case when not sandbox then 'live' when open_to_test_verifiers then 'test' else 'sandbox' end = pool
          for no key update skip locked
        ) as request
        order by candidate.place
        limit rows_max
      ) as locked
    ) as sized
    where bytes_before < bytes_max;
    if places is null then return; end if;

    ${BEGIN_KEEPING_QUEUES}
    return query
    with leased as (
      update request set
        lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => lease_seconds),
        channel = to_channel,
        channel_entered_at = case when of_queue = to_channel then channel_entered_at else now() end,
        channel_until = case when of_queue = to_channel then channel_until
          else now() + make_interval(secs => seconds_max) end,
        channel_attempt_count = case when of_queue = to_channel then channel_attempt_count else 0 end + 1,
        verification_attempt_count = verification_attempt_count + 1
      from (
        select place, lapsed_at, request_table, request_place, queues[place] as of_queue,
          channels[place] as to_channel, seconds_max[place] as seconds_max
        from unnest(places, lapses, request_tables, request_places)
          as locked (place, lapsed_at, request_table, request_place)
        limit cardinality(places)
      ) as chosen
      where ${theLocked('chosen')}
      returning chosen.place, chosen.lapsed_at, request.*
    ), queued as (
      update work_queue set channel = leased.channel, due_at = greatest(leased.work_due_at, leased.lease_until),
        leased_until = leased.lease_until, channel_until = leased.channel_until,
        attempt_count = leased.channel_attempt_count
      from leased where ${itsWork('leased')}
    ), attempted as (
      insert into verification_attempt (request_id, number, account_id, payer_id, channel, key_id)
      select id, verification_attempt_count, account_id, payer_id, channel, by_key_id from leased
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id)
      select by_key_id, by_account_id, operation, id from leased
    ), followed as materialized (
      select from (select ${noteServedFunction.name}(array_agg(distinct account_id)) from leased) as served
      union all
      select from leased cross join lateral ${endLapsedAttemptFunction.name}(id, lapsed_at, verification_attempt_count)
      where lapsed_at is not null
    )
    select place, id::text, account_id::text, payer_id, channel, lease_token, lease_until, verification_attempt_count,
      input, received_at, outcome, outcome_reason, delivery, delivery_reason
    from leased where (select count(*) from followed) > 0
    order by place;
    ${END_KEEPING_QUEUES}
  end $$`,
);
