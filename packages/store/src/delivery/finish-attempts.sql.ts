import { noteEndpointFunction } from '../events/write-event.sql.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * Locks the requests first, as everywhere (see lockRequest), then the queue's rows, each in the order of their ids.
 * Otherwise two processes that finish, renew or release the same rows could deadlock. The endpoints come last, in the
 * order of their ids.
 *
 * `due` has what is to be written as events in the same transaction, in the form of `DueEvent`; null for nothing.
 */
export const finishAttemptsFunction = databaseFunction(
  `
  create function finish_attempts(
    delivery_ids text[], request_ids text[], lease_tokens uuid[], ats timestamptz[], outcomes text[],
    status_codes integer[], durations_ms integer[], response_snippets bytea[], nexts text[], reasons text[],
    delays_seconds float8[], out finished_ids text[], out due jsonb, out at timestamptz
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    endpoint_count integer;
    exhausted jsonb;
  begin
    at := now();
    perform from request where id = any (request_ids) order by id for no key update;
    with held as (
      select attempt.*
      from unnest(delivery_ids, lease_tokens, ats, outcomes, status_codes, durations_ms, response_snippets, nexts, reasons)
        as attempt (delivery_id, lease_token, at, outcome, status_code, duration_ms, response_snippet, next, reason)
      join delivery_queue on delivery_queue.delivery_id = attempt.delivery_id
        and delivery_queue.delivery_id = any (delivery_ids) and lease = attempt.lease_token
      order by attempt.delivery_id
      for update of delivery_queue
    ), ended as (
      delete from delivery_queue using held
      where delivery_queue.delivery_id = held.delivery_id and delivery_queue.delivery_id = any (delivery_ids)
        and next <> 'retry'
    ), finished as (
      update delivery set
        status = case when next = 'retry' then 'pending' else next end, reason = held.reason,
        done_at = case when next <> 'retry' then now() end,
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      from held
      where delivery.id = held.delivery_id and delivery.id = any (delivery_ids)
      returning held.*, delivery.request_id, delivery.version, delivery.attempt_count, delivery.endpoint_id
    ), attempted as (
      insert into delivery_attempt (delivery_id, number, at, outcome, status_code, duration_ms, response_snippet)
      select delivery_id, attempt_count, at, outcome, status_code, duration_ms, response_snippet from finished
    ), shown as (
      update request set delivery = next, delivery_reason = reason
      from finished
      where next <> 'retry' and request.id = finished.request_id and request.id = any (request_ids)
        and request.version = finished.version
    )
    select array_agg(delivery_id::text), count(endpoint_id) into finished_ids, endpoint_count from finished;
    if 'retry' = any (nexts) then
      update delivery_queue set run_at = now() + make_interval(secs => delay_seconds), planned_at = now(), lease = null,
        leased_at = null, leased_until = null, claim_count = 0
      from unnest(delivery_ids, lease_tokens, nexts, delays_seconds)
        as attempt (delivery_id, lease_token, next, delay_seconds)
      where next = 'retry' and delivery_queue.delivery_id = attempt.delivery_id
        and delivery_queue.delivery_id = any (delivery_ids) and lease = lease_token;
    end if;
    if 'exhausted' = any (nexts) then
      with numbered as (
        update request set event_count = event_count + 1 from delivery
        where delivery.id = any (finished_ids) and delivery.status = 'exhausted' and request.id = delivery.request_id
          and request.id = any (request_ids)
        returning event_count, delivery.id as delivery_id
      )
      select jsonb_agg(jsonb_build_object('type', 'delivery.exhausted', 'delivery_id', delivery_id, 'number', event_count))
      into exhausted from numbered;
    end if;
    if endpoint_count > 0 then
      with tried as materialized (
        select delivery.endpoint_id, min(delivery.id) as delivery_id, bool_or(outcome = 'succeeded') as is_taken,
          bool_or(outcome = 'gone') as is_gone
        from unnest(delivery_ids, outcomes) as attempt (delivery_id, outcome)
        join delivery on delivery.id = attempt.delivery_id and delivery.id = any (finished_ids)
        where delivery.endpoint_id is not null
        group by delivery.endpoint_id order by delivery.endpoint_id
      )
      select jsonb_agg(jsonb_build_object(
          'type', case when off_reason is null then 'endpoint.failing' else 'endpoint.disabled' end,
          'delivery_id', delivery_id, 'hours', failing_hours, 'reason', off_reason))
      into due from tried cross join lateral note_endpoint(endpoint_id, is_taken, is_gone) as noted
      where failing_hours is not null or off_reason is not null;
    end if;
    due := coalesce(exhausted || due, exhausted, due);
  end $$`,
  noteEndpointFunction,
);
