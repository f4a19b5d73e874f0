import { endpointIsOpenFunction } from '../events/write-event.sql.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `claimDueDeliveries`. Bytes are answered as base64: as `bytea` node-postgres takes them in hexadecimal, which
 * is half as long again, and three times as slow to read. A host or lane without an entry has the general number
 * of slots; a lane is an account, or its batches, which have a quarter of the account's. Null shards mean all.
 *
 * Rows are chosen without a lock, then locked and checked again: one that another worker claimed meanwhile is
 * skipped. A crash can at worst lose a lease, which then lapses: so the commit does not wait for the disk. A lease
 * taken more than 5 s in the future was taken before the clock was set back, and has lapsed.
 */
export const claimDeliveriesFunction = databaseFunction(
  `
  create function claim_deliveries(
    after_host bytea, after_lane text, lanes_max integer, rows_max integer, lease_seconds integer,
    slots_per_host integer, slots_per_account integer, free_by_host jsonb, free_by_lane jsonb, shards bytea
  ) returns table (
    end_host bytea, end_lane text, id text, request_id text, version integer, account_id text, lane text, destination text,
    destination_host text, input text, received_at timestamptz, outcome text, finding text,
    has_benefits boolean, lease_token text, round_attempt_count integer, claim_count integer,
    accepted_at timestamptz, webhook_secret bytea, previous_webhook_secret bytea, previous_webhook_secret_valid boolean,
    event_id text, endpoint_id text, event jsonb, reach text, endpoint_is_off boolean, subscription text
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    due_ids text[];
    ids text[];
    request_ids text[];
    account_ids text[];
    lanes text[];
    tokens uuid[];
    claim_counts integer[];
    lost_ids text[];
    lost_ats timestamptz[];
    lost_durations_ms float8[];
  begin
    if set_config('synchronous_commit', 'off', true) is null then end if;
    with recursive page as (
      select after_host as destination_host, after_lane collate "C" as lane, 0 as place, 0 as found_count,
        null::integer as host_free, null::integer as lane_free, null::issued_id[] as found_ids,
        null::timestamptz[] as due_ats
      union all
      select head.destination_host, head.lane, page.place + 1, page.found_count + found.count,
        free.of_host, free.of_lane, found.ids, found.due_ats
      from page cross join lateral (
        select destination_host, lane, run_at, of_batch from delivery_queue
        where (destination_host, lane) > (page.destination_host, page.lane)
        order by destination_host, lane, run_at limit 1
      ) as head
      cross join lateral (
        select coalesce((free_by_host ->> encode(head.destination_host, 'base64'))::int, slots_per_host) as of_host,
          coalesce((free_by_lane ->> head.lane)::int,
            case when head.of_batch then greatest(slots_per_account / 4, 1) else slots_per_account end) as of_lane
      ) as free
      cross join lateral (
        select count(*)::int as count, array_agg(delivery_id) as ids, array_agg(due_at) as due_ats
        from (
          select queued.delivery_id,
            greatest(queued.run_at, case when leased_until <= now() then leased_until end) as due_at
          from delivery_queue queued
          where head.run_at <= now()
            and (shards is null or get_bit(shards, get_byte(head.destination_host, 0)) = 1)
            and queued.destination_host = head.destination_host and queued.lane = head.lane
            and queued.run_at <= now()
            and (leased_until is null or leased_until <= now() or leased_at > now() + interval '5 seconds')
          order by queued.run_at
          limit least(free.of_host, free.of_lane, rows_max)
        ) as waiting
      ) as found
      where page.place < lanes_max and page.found_count < rows_max
    ), ranked as (
      select found.*, host_free, lane_free,
        row_number() over (partition by destination_host order by due_at) as host_rank,
        row_number() over (partition by lane order by due_at) as lane_rank
      from page cross join lateral unnest(found_ids, due_ats) as found (id, due_at)
    ), due as (
      select id from ranked
      where host_rank <= host_free and lane_rank <= lane_free
      order by due_at
      limit rows_max
    ), page_end as (
      select destination_host, lane from page
      where place = lanes_max or found_count >= rows_max
    )
    select (select destination_host from page_end), (select lane from page_end), array(select id from due)
    into end_host, end_lane, due_ids;

    select array_agg(delivery_id order by due_at), array_agg(request_id order by due_at),
      array_agg(distinct account_id), array_agg(lane order by due_at), array_agg(claim_count + 1 order by due_at), array_agg(gen_random_uuid()),
      array_agg(delivery_id) filter (where lease is not null),
      array_agg(leased_at) filter (where lease is not null),
      array_agg(1000 * greatest(extract(epoch from least(leased_until, now()) - leased_at), 0)) filter (where lease is not null)
    into ids, request_ids, account_ids, lanes, claim_counts, tokens, lost_ids, lost_ats, lost_durations_ms
    from (
      select *, greatest(run_at, case when leased_until <= now() then leased_until end) as due_at from delivery_queue
      where delivery_id = any (due_ids) and run_at <= now()
        and (leased_until is null or leased_until <= now() or leased_at > now() + interval '5 seconds')
      for no key update skip locked
    ) as held;
    if ids is null then
      return next;
      return;
    end if;
    update delivery_queue set lease = held.token, leased_at = now(),
      leased_until = now() + make_interval(secs => lease_seconds), claim_count = delivery_queue.claim_count + 1
    from unnest(ids, tokens) as held (id, token)
    where delivery_queue.delivery_id = held.id and delivery_queue.delivery_id = any (ids);
    if lost_ids is not null then
      with lost as (
        update delivery set attempt_count = attempt_count + 1
        from unnest(lost_ids, lost_ats, lost_durations_ms) as held (id, lost_at, duration_ms)
        where delivery.id = held.id and delivery.id = any (lost_ids)
        returning delivery.id, attempt_count, lost_at, duration_ms
      )
      insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms)
      select id, attempt_count, lost_at, 'worker_lost', duration_ms from lost;
    end if;

    return query
    select end_host, end_lane, delivery.id::text, delivery.request_id::text, delivery.version,
      delivery.account_id::text, held.lane, encode(destination, 'base64'), encode(delivery.destination_host, 'base64'),
      encode(request.input, 'base64'), request.received_at, result.outcome::text, encode(result.body, 'base64'),
      result.benefits is not null, held.token::text, round_attempt_count::integer, held.claim_count, accepted_at,
      coalesce(endpoint.secret, account.webhook_secret),
      case when endpoint.id is null then account.previous_webhook_secret else endpoint.previous_secret end,
      case when endpoint.id is null then account.previous_webhook_secret_until else endpoint.previous_secret_until end > now(),
      delivery.event_id::text, delivery.endpoint_id::text, 
      -- As EVENT_JSON has it.
      case when event.id is not null then pg_catalog.jsonb_build_object('id', event.id, 'account_id', event.account_id,
        'type', event.type, 'subject_id', event.subject_id, 'number', event.number, 'body', event.body,
        'mac', pg_catalog.encode(event.mac, 'base64')) end, endpoint.reach,
      delivery.endpoint_id is not null and not endpoint_is_open(endpoint), endpoint.subscription
    from unnest(ids, tokens, claim_counts, lanes) with ordinality as held (id, token, claim_count, lane, place)
    join delivery on delivery.id = held.id and delivery.id = any (ids)
    left join request on request.id = delivery.request_id and request.id = any (request_ids)
    left join result on result.request_id = delivery.request_id and result.request_id = any (request_ids)
      and result.version = delivery.version
    left join account on account.id = delivery.account_id and account.id = any (account_ids)
    left join event on event.id = delivery.event_id
    left join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
    order by held.place;
  end $$`,
  endpointIsOpenFunction,
);
