import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/*
 * The three statements that each result passes on its way out. Parsed and planned each time they took the database
 * 1.4 of their 2.0 ms of CPU; a function keeps its plans for the session (see `insert_requests`, 0004).
 *
 * A plan that is kept must be right for every size of its tables, and the first is made when they are empty. So they
 * are told to go by the indexes, row by row, and never to read a table, or half an index, for a join.
 *
 * Processes of two versions call them at once during a deployment: a change is a new function with another name.
 */
const byIndexAlone = sql.raw(`set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off`);

const statements = [
  // `claimDueDeliveries` says what it does, and why so. Null in a room: the host or account has no entry of its own.
  sql`create function claim_deliveries(
    after_host bytea, after_account text, lanes_max integer, rows_max integer, lease_seconds integer,
    room_per_host integer, room_per_account integer, host_rooms jsonb, account_rooms jsonb
  ) returns table (
    end_host bytea, end_account text, id text, request_id text, version integer, account_id text, destination bytea,
    destination_host bytea, body bytea, lease_token uuid, round_attempt_count integer, claim_count integer,
    accepted_at timestamptz, webhook_secret bytea, previous_webhook_secret bytea, previous_webhook_secret_valid boolean
  ) language plpgsql ${byIndexAlone} as $$
  #variable_conflict use_column
  begin
    perform set_config('synchronous_commit', 'off', true); -- see withoutFlush
    return query
    with recursive page as (
      (select destination_host, account_id, greatest(run_at, coalesce(lease_until, run_at)) as due_at, 1 as place
      from delivery
      where done_at is null and (destination_host, account_id) > (after_host, after_account)
      order by destination_host, account_id, due_at limit 1)
      union all
      select next.*, page.place + 1
      from page cross join lateral (
        select destination_host, account_id, greatest(run_at, coalesce(lease_until, run_at)) as due_at from delivery
        where done_at is null and (destination_host, account_id) > (page.destination_host, page.account_id)
        order by destination_host, account_id, due_at limit 1
      ) as next
      where page.place < lanes_max
    ), lane as (
      select destination_host, account_id,
        coalesce((host_rooms ->> encode(destination_host, 'base64'))::int, room_per_host) as host_room,
        coalesce((account_rooms ->> account_id::text)::int, room_per_account) as account_room
      from page where due_at <= now()
    ), waiting as (
      select row.*, lane.*
      from lane cross join lateral (
        select id, greatest(run_at, coalesce(lease_until, run_at)) as due_at, lease_token, leased_at, lease_until
        from delivery
        where done_at is null and delivery.destination_host = lane.destination_host
          and delivery.account_id = lane.account_id and greatest(run_at, coalesce(lease_until, run_at)) <= now()
        order by due_at
        limit least(lane.host_room, lane.account_room)
        for update skip locked
      ) as row
    ), ranked as (
      select *, row_number() over (partition by destination_host order by due_at) as host_rank,
        row_number() over (partition by account_id order by due_at) as account_rank
      from waiting
    ), due as (
      select id, due_at, lease_token, leased_at, lease_until from ranked
      where host_rank <= host_room and account_rank <= account_room
      order by due_at
      limit rows_max
    ), lost as (
      insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms)
      select id, attempt_count + 1, coalesce(due.leased_at, due.lease_until), 'worker_lost',
        coalesce(1000 * extract(epoch from due.lease_until - due.leased_at), 0) -- leased before 0002, which brought leased_at
      from due join delivery using (id)
      where due.lease_token is not null
    ), leased as (
      update delivery
      set lease_token = gen_random_uuid(), leased_at = now(),
        lease_until = now() + make_interval(secs => lease_seconds), claim_count = delivery.claim_count + 1,
        attempt_count = delivery.attempt_count + (due.lease_token is not null)::int
      from due, account
      where delivery.id = due.id and account.id = delivery.account_id
      returning delivery.*, due.due_at, account.webhook_secret, account.previous_webhook_secret,
        account.previous_webhook_secret_until > now() as previous_webhook_secret_valid
    ), page_end as (
      select destination_host as end_host, account_id as end_account from page where place = lanes_max
    )
    select end_host, end_account::text, id::text, request_id::text, version, account_id::text, destination,
      destination_host, body, lease_token, round_attempt_count, claim_count, accepted_at, webhook_secret,
      previous_webhook_secret, previous_webhook_secret_valid
    from (select) as always left join page_end on true left join leased on true
    order by due_at;
  end $$`,

  // First the requests' locks, as everywhere (see lockRequest), then the deliveries', each in the order of their ids:
  // two processes that finish, renew or release the same rows would else wait for each other in a circle.
  sql`create function finish_attempts(
    delivery_ids text[], lease_tokens uuid[], ats timestamptz[], outcomes text[], status_codes integer[],
    durations_ms integer[], response_snippets bytea[], nexts text[], reasons text[], delays_seconds float8[]
  ) returns setof text language plpgsql ${byIndexAlone} as $$
  #variable_conflict use_column
  begin
    return query
    with attempt as (
      select * from unnest(delivery_ids, lease_tokens, ats, outcomes, status_codes, durations_ms, response_snippets,
          nexts, reasons, delays_seconds)
        as attempt (delivery_id, lease_token, at, outcome, status_code, duration_ms, response_snippet, next, reason,
          delay_seconds)
    ), locked as (
      select attempt.*, request.id as request_id, request.version as request_version
      from attempt
      join delivery on delivery.id = attempt.delivery_id and delivery.lease_token = attempt.lease_token
      join request on request.id = delivery.request_id
      order by request.id
      for no key update of request
    ), held as (
      select locked.*
      from locked join delivery on delivery.id = locked.delivery_id and delivery.lease_token = locked.lease_token
      order by delivery.id
      for no key update of delivery
    ), finished as (
      update delivery set
        status = case when next = 'retry' then 'pending' else next end, reason = held.reason,
        done_at = case when next <> 'retry' then now() end,
        run_at = now() + make_interval(secs => coalesce(delay_seconds, 0)),
        lease_token = null, lease_until = null, claim_count = 0,
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      from held
      where delivery.id = held.delivery_id
      returning held.*, delivery.version, delivery.attempt_count
    ), attempted as (
      insert into delivery_attempt (delivery_id, number, at, outcome, status_code, duration_ms, response_snippet)
      select delivery_id, attempt_count, at, outcome, status_code, duration_ms, response_snippet from finished
    ), shown as (
      update request set delivery = next, delivery_reason = reason
      from finished
      where next <> 'retry' and request.id = finished.request_id and request_version = finished.version
    )
    select delivery_id from finished;
  end $$`,

  // False, and nothing is done, when the request has that version by now. Which attempt a finding ends, and when it
  // writes one, `FindingAttempt` says.
  sql`create function apply_finding(
    request_id text, version integer, outcome text, outcome_reason bytea, body bytea, digest bytea, slug text,
    held_output_id text, key_id text, caller_account_id text, operation text,
    has_attempt boolean, holds_lease boolean, channel text, evidence bytea,
    delivery_id text, destination bytea, destination_host bytea, webhook bytea, delay_seconds float8, hint_origin text
  ) returns boolean language plpgsql ${byIndexAlone} as $$
  #variable_conflict use_column
  declare
    attempt_outcome text := case outcome when 'complete' then 'succeeded' else 'failed' end;
    is_new_attempt boolean;
    changed request;
  begin
    perform from request where id = apply_finding.request_id and version = apply_finding.version - 1
    for no key update;
    if not found then return false; end if;

    update verification_attempt attempt set ended_at = now(), outcome = attempt_outcome, error_reason = slug,
      result_version = apply_finding.version, evidence = apply_finding.evidence
    where attempt.request_id = apply_finding.request_id and ended_at is null
      and has_attempt and (holds_lease or attempt.key_id = apply_finding.key_id);
    is_new_attempt := has_attempt and not found;
    update verification_attempt attempt set ended_at = now(), outcome = 'superseded'
    where attempt.request_id = apply_finding.request_id and ended_at is null;

    update request set outcome = apply_finding.outcome, outcome_reason = apply_finding.outcome_reason,
      version = apply_finding.version, delivery = 'pending', delivery_reason = null, lease_token = null,
      lease_until = null, channel_until = null,
      verification_attempt_count = verification_attempt_count + is_new_attempt::int
    where id = apply_finding.request_id
    returning * into strict changed;
    if is_new_attempt then
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      values (request_id, changed.verification_attempt_count, changed.account_id, changed.payer_id, channel, key_id,
        now(), attempt_outcome, slug, version);
    end if;

    insert into result (request_id, version, outcome, body, digest, applied_by, held_output_id)
    values (request_id, version, outcome, body, digest, key_id, held_output_id);
    update delivery set status = 'superseded', done_at = now(), lease_token = null, lease_until = null
    where delivery.request_id = apply_finding.request_id and done_at is null;
    insert into delivery (id, request_id, version, account_id, destination, destination_host, body, run_at)
    values (delivery_id, request_id, version, changed.account_id, destination, destination_host, webhook,
      now() + make_interval(secs => delay_seconds));
    insert into access_log (key_id, account_id, operation, request_id)
    values (key_id, caller_account_id, operation, request_id);
    perform pg_notify('delivery_due', hint_origin);
    return true;
  end $$`,
];

/** Claims, finished attempts and applied findings as functions that are planned once a session. */
export const plannedOnce: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
