import { databaseFunction } from '../../functions/database-function.ts';
import { channelEndFunction } from '../../intake/insert-requests.sql.ts';

/**
 * Leases candidates in their order, those that still are in their queue, in no canceled batch, and that no other
 * transaction has locked, up to a number of rows and of bytes, and at least one; writes the attempts, the access and that the accounts were
 * served. A named candidate may be listed once for each queue of its payer; the function waits for its lock, since no
 * other request is wanted.
 *
 * `seconds_max` null: the request stays in the first channel of its route, whose time it has had since it came.
 *
 * A separate statement takes the locks: one that also changed the rows would miss a row that another transaction has
 * changed since it began, and the claim would come back empty.
 *
 * `account_served` is a table with a row for each account: read from their newest attempts, eight accounts took 64 to
 * 120 pages of a million requests, most of them anywhere on the disk, and an index that every attempt was written to.
 * A row that another claim is writing is skipped: that claim writes the same time, and this one need not wait for its
 * commit.
 */
export const leaseWorkFunction = databaseFunction(
  `
  create function lease_work(
    ids text[], queues text[], channels text[], seconds_max float8[], attempt_counts_max integer[],
    of_pool text, is_named boolean, rows_max integer, bytes_max integer,
    lease_seconds float8, by_key_id text, by_account_id text, operation text,
    by_name text, by_session_id text, by_address text, in_emergency boolean
  ) returns table (
    place bigint, id text, account_id text, payer_id text, lease_channel queue_name, lease_token uuid, lease_until timestamptz,
    attempt_number integer, input bytea, service_date bytea, needed_by timestamptz, received_at timestamptz,
    outcome request_outcome, outcome_reason bytea, delivery request_delivery, delivery_reason text, of_batch boolean,
    gender bytea
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    places bigint[];
    lapses timestamptz[];
    leased_ids text[];
    served_ids text[];
  begin
    if is_named then
      perform from work_queue where request_id = any (ids) for no key update;
    end if;
    select array_agg(place order by place), array_agg(leased_until order by place), array_agg(request_id order by place),
      array_agg(distinct account_id)
    into places, lapses, leased_ids, served_ids
    from (
      select *, sum((select octet_length(input) from request where id = request_id))
        over (order by place rows between unbounded preceding and 1 preceding) as bytes_before
      from (
        select candidate.place, queued.*
        from unnest(ids, queues, channels, attempt_counts_max) with ordinality
          as candidate (id, of_queue, to_channel, attempt_count_max, place)
        cross join lateral (
          select request_id, account_id, leased_until from work_queue
          where request_id = candidate.id and channel = of_queue and pool = of_pool
            and (leased_until is null or leased_until <= now())
            and (of_queue <> to_channel or attempt_count < attempt_count_max)
            and not exists (select from batch where batch.id = batch_id and canceled_at is not null)
          for no key update skip locked
        ) as queued
        order by candidate.place
        limit rows_max
      ) as locked
    ) as sized
    where coalesce(bytes_before, 0) < bytes_max;
    if places is null then return; end if;

    update work_queue set lease = gen_random_uuid(), leased_at = now(), postponed = false, call_back_at = null,
      call_back_by = null, call_back_is_own = false,
      leased_until = now() + make_interval(secs => lease_seconds), channel = to_channel,
      channel_entered_at = case when of_queue = to_channel or chosen.seconds_max is null then channel_entered_at else now() end,
      channel_until = case when of_queue = to_channel then channel_until
        else coalesce(case when chosen.seconds_max is null then channel_until end,
          channel_end(coalesce(chosen.seconds_max, 28800), needed_by)) end,
      attempt_count = case when of_queue = to_channel then attempt_count else 0 end + 1
    from (
      select ids[place] as id, queues[place] as of_queue, channels[place] as to_channel, seconds_max[place] as seconds_max
      from unnest(places) as place
    ) as chosen
    where work_queue.request_id = chosen.id and work_queue.request_id = any (leased_ids);

    if array_remove(lapses, null) <> '{}' then
      update verification_attempt set ended_at = lapsed.at, outcome = 'lease_expired'
      from unnest(leased_ids, lapses) as lapsed (id, at)
      where verification_attempt.request_id = lapsed.id and verification_attempt.request_id = any (leased_ids)
        and ended_at is null;
    end if;

    update account_served set served_at = now()
    where account_id = any (array(
      select account_id from account_served where account_id = any (served_ids) for no key update skip locked
    ));
    insert into account_served (account_id)
    select id from unnest(served_ids) as id
    where not exists (select from account_served where account_id = id)
    order by id
    on conflict do nothing;

    return query
    with attempted as (
      insert into verification_attempt (request_id, number, account_id, payer_id, channel, key_id, lease_hash)
      select request_id, 1 + coalesce(
          (select max(number) from verification_attempt earlier where earlier.request_id = work_queue.request_id), 0),
        account_id, payer_id, channel, by_key_id, sha256(convert_to(lease::text, 'UTF8'))
      from work_queue where request_id = any (leased_ids)
      returning request_id, number
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id, request_account_ids, actor_name, session_id,
        address, emergency)
      select by_key_id, by_account_id, operation, request_id, array[work_queue.account_id], by_name, by_session_id,
        by_address, in_emergency
      from work_queue where request_id = any (leased_ids)
    )
    select leased.place, request.id::text, request.account_id::text, request.payer_id, queued.channel, queued.lease,
      queued.leased_until, attempted.number::integer, input, service_date, request.needed_by, received_at, outcome, outcome_reason,
      delivery, delivery_reason, queued.batch_id is not null, request.gender
    from unnest(leased_ids, places) as leased (id, place)
    join work_queue queued on queued.request_id = leased.id and queued.request_id = any (leased_ids)
    join request on request.id = leased.id and request.id = any (leased_ids)
    join attempted on attempted.request_id = leased.id
    order by leased.place;
  end $$`,
  channelEndFunction,
);
