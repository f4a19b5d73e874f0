import { among } from '../../functions/by-id.ts';
import { BY_INDEX_ALONE } from '../../functions/by-index-alone.ts';
import { databaseFunction } from '../../functions/database-function.ts';
import { BEGIN_KEEPING_QUEUES, END_KEEPING_QUEUES } from '../../functions/keep-queues.ts';

/**
 * See `claimDueDeliveries`. Bytes are answered as base64: as `bytea` node-postgres takes them in hexadecimal, which is half
 * as long again, and three times as slow to read. A null room means that the host or account has no entry of its own;
 * null shards are all of them.
 *
 * The last statement joins by plain equality, unlike `byId`: it chooses each row's month by itself, so deliveries of many
 * months read 429 buffers where they read 1,053. It locks nothing, which `byId` has to fear.
 */
export const claimDeliveriesFunction = databaseFunction(
  'claim_deliveries',
  (name) => `create function ${name}(
    after_host bytea, after_account text, lanes_max integer, rows_max integer, lease_seconds integer,
    room_per_host integer, room_per_account integer, host_rooms jsonb, account_rooms jsonb, shards bytea
  ) returns table (
    end_host bytea, end_account text, id text, request_id text, version integer, account_id text, destination text,
    destination_host text, body text, input text, received_at timestamptz, outcome text, finding text,
    lease_token text, round_attempt_count integer, claim_count integer,
    accepted_at timestamptz, webhook_secret bytea, previous_webhook_secret bytea, previous_webhook_secret_valid boolean
  ) language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    ids text[];
    requests text[];
    leases uuid[];
    claim_counts integer[];
    lost_ids text[];
    lost_ats timestamptz[];
    lost_durations_ms float8[];
    is_request_missing boolean;
    first_id text;
    last_id text;
  begin
    if set_config('synchronous_commit', 'off', true) is null then end if; -- see withoutFlush and BEGIN_KEEPING_QUEUES
    ${BEGIN_KEEPING_QUEUES}
    with recursive page as (
      select after_host as destination_host, after_account::issued_id as account_id, 0 as place, 0 as found_count,
        null::integer as host_room, null::integer as account_room, null::tid[] as places, null::timestamptz[] as due_ats
      union all
      select lane.destination_host, lane.account_id, page.place + 1, page.found_count + found.count,
        room.of_host, room.of_account, found.places, found.due_ats
      from page cross join lateral (
        select destination_host, account_id, run_at from delivery_queue
        where (destination_host, account_id) > (page.destination_host, page.account_id)
        order by destination_host, account_id, run_at limit 1
      ) as lane
      cross join lateral (
        select coalesce((host_rooms ->> encode(lane.destination_host, 'base64'))::int, room_per_host) as of_host,
          coalesce((account_rooms ->> lane.account_id::text)::int, room_per_account) as of_account
      ) as room
      cross join lateral (
        select count(*)::int as count, array_agg(waiting.place) as places, array_agg(due_at) as due_ats
        from (
          select queued.ctid as place, greatest(queued.run_at, coalesce(leased_until, queued.run_at)) as due_at
          from delivery_queue queued
          where lane.run_at <= now()
            and (shards is null or get_bit(shards, get_byte(lane.destination_host, 0)) = 1)
            and queued.destination_host = lane.destination_host and queued.account_id = lane.account_id
            and queued.run_at <= now() and (leased_until is null or leased_until <= now())
          order by queued.run_at
          limit least(room.of_host, room.of_account, rows_max)
        ) as waiting
      ) as found
      where page.place < lanes_max and page.found_count < rows_max
    ), waiting as (
      select found.*, destination_host, account_id, host_room, account_room
      from page cross join lateral unnest(places, due_ats) as found (place, due_at)
    ), ranked as (
      select *, row_number() over (partition by destination_host order by due_at) as host_rank,
        row_number() over (partition by account_id order by due_at) as account_rank
      from waiting
    ), due as (
      select place, due_at from ranked
      where host_rank <= host_room and account_rank <= account_room
      order by due_at
      limit rows_max
    ), held as ( -- a row that somebody claimed meanwhile is no longer in its place
      select queued.ctid as place, due_at, lease as lost_lease, leased_since as lost_since, leased_until as lost_until
      from due join delivery_queue queued on queued.ctid = due.place
      for no key update of queued skip locked
    ), leased as (
      update delivery_queue queued
      set lease = gen_random_uuid(), leased_since = now(),
        leased_until = now() + make_interval(secs => lease_seconds), claims = queued.claims + 1
      from held
      where queued.ctid = held.place
      returning queued.*, held.due_at, lost_lease is not null as is_lost, lost_since, lost_until
    ), page_end as (
      select destination_host, account_id from page
      where place = lanes_max or found_count >= rows_max
    )
    select (select destination_host from page_end), (select account_id from page_end),
      array_agg(delivery_id order by due_at), array_agg(of_request order by due_at), array_agg(lease order by due_at),
      array_agg(claims order by due_at), min(of_request), max(of_request), bool_or(of_request is null),
      array_agg(delivery_id) filter (where is_lost),
      array_agg(coalesce(lost_since, lost_until)) filter (where is_lost),
      array_agg(coalesce(1000 * extract(epoch from lost_until - lost_since), 0)) filter (where is_lost)
    into end_host, end_account, ids, requests, leases, claim_counts, first_id, last_id, is_request_missing,
      lost_ids, lost_ats, lost_durations_ms
    from leased;

    if is_request_missing then -- rows of the version before
      select array_agg(found.request_id order by place), min(found.request_id), max(found.request_id)
      into requests, first_id, last_id
      from unnest(ids, requests) with ordinality as leased (id, request_id, place) cross join lateral (
        select coalesce(leased.request_id,
          (select request_id from delivery where delivery.id = leased.id order by request_id desc limit 1)) as request_id
      ) as found;
    end if;
    if lost_ids is not null then
      with lost as (
        update delivery set attempt_count = attempt_count + 1, lease_token = null, lease_until = null
        from unnest(lost_ids, lost_ats, lost_durations_ms) as leased (id, lost_at, duration_ms)
        where ${among('delivery.request_id', 'requests')} and delivery.id = leased.id
        returning delivery.id, attempt_count, lost_at, duration_ms
      )
      insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms)
      select id, attempt_count, lost_at, 'worker_lost', duration_ms from lost;
    end if;
    ${END_KEEPING_QUEUES}

    if ids is null then
      return next;
      return;
    end if;
    return query
    select end_host, end_account, delivery.id::text, delivery.request_id::text, delivery.version,
      delivery.account_id::text, encode(destination, 'base64'), encode(delivery.destination_host, 'base64'),
      encode(delivery.body, 'base64'), encode(request.input, 'base64'), request.received_at, result.outcome,
      encode(result.body, 'base64'), leased.lease::text, round_attempt_count,
      leased.claim_count, accepted_at, webhook_secret, previous_webhook_secret, previous_webhook_secret_until > now()
    from unnest(ids, leases, claim_counts) with ordinality as leased (id, lease, claim_count, place)
    join delivery on ${among('delivery.request_id', 'requests')} and delivery.id = leased.id
    left join lateral (
      select input, received_at from request
      where request.id = delivery.request_id and request.id between first_id and last_id offset 0
    ) as request on true
    left join result on result.request_id = delivery.request_id and result.request_id between first_id and last_id
      and result.version = delivery.version
    left join account on account.id = delivery.account_id
    order by leased.place;
  end $$`,
);
