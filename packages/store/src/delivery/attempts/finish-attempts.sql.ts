import { among, itsPlace, theLocked, theRequest } from '../../functions/by-id.ts';
import { BY_INDEX_ALONE } from '../../functions/by-index-alone.ts';
import { databaseFunction } from '../../functions/database-function.ts';
import { BEGIN_KEEPING_QUEUES, END_KEEPING_QUEUES } from '../../functions/keep-queues.ts';

/**
 * Locks the requests first, as everywhere (see lockRequest), in the order of the lists, which is that of their ids; then
 * the queue's rows, in id order. Otherwise two processes that finish, renew or release the same rows could deadlock.
 *
 * The lowest and the highest request choose the months; see `among`. The leases are compared within
 * `coalesce`, lest the planner expect one row and read the deliveries of the list anew for each of its rows.
 */
export const finishAttemptsFunction = databaseFunction(
  'finish_attempts',
  (name) => `create function ${name}(
    delivery_ids text[], request_ids text[], lease_tokens uuid[], ats timestamptz[], outcomes text[],
    status_codes integer[], durations_ms integer[], response_snippets bytea[], nexts text[], reasons text[],
    delays_seconds float8[], first_id text, last_id text
  ) returns text[] language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    request_versions integer[];
    request_tables oid[];
    request_places tid[];
    finished_ids text[];
  begin
    ${BEGIN_KEEPING_QUEUES}
    select array_agg(request.version), array_agg(request.tableoid), array_agg(request.ctid)
    into request_versions, request_tables, request_places
    from unnest(request_ids) as attempt (request_id) left join lateral (
      select request.version, request.tableoid, request.ctid from request where ${theRequest('attempt.request_id')}
      for no key update
    ) as request on true;
    with held as (
      select attempt.*, now() + make_interval(secs => coalesce(delay_seconds, 0)) as run_at
      from unnest(delivery_ids, lease_tokens, ats, outcomes, status_codes, durations_ms, response_snippets, nexts,
          reasons, delays_seconds, request_versions, request_tables, request_places)
        as attempt (delivery_id, lease_token, at, outcome, status_code, duration_ms, response_snippet, next, reason,
          delay_seconds, request_version, request_table, request_place)
      join delivery_queue on ${itsPlace('attempt.delivery_id')} and coalesce(lease = attempt.lease_token, false)
      where request_version is not null
      order by attempt.delivery_id
      for update of delivery_queue
    ), ended as (
      delete from delivery_queue using held where ${itsPlace('held.delivery_id')} and next <> 'retry'
    ), finished as (
      update delivery set
        status = case when next = 'retry' then 'pending' else next end, reason = held.reason,
        done_at = case when next <> 'retry' then now() end, run_at = held.run_at,
        lease_token = null, lease_until = null, claim_count = 0,
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      from held
      where ${among('delivery.request_id', 'request_ids')} and delivery.id = held.delivery_id
      returning held.*, delivery.version, delivery.attempt_count
    ), attempted as (
      insert into delivery_attempt (delivery_id, number, at, outcome, status_code, duration_ms, response_snippet)
      select delivery_id, attempt_count, at, outcome, status_code, duration_ms, response_snippet from finished
    ), shown as (
      update request set delivery = next, delivery_reason = reason
      from finished
      where next <> 'retry' and request_version = finished.version and ${theLocked('finished')}
    )
    select array_agg(delivery_id::text) into finished_ids from finished;
    if 'retry' = any (nexts) then
      update delivery_queue set run_at = now() + make_interval(secs => delay_seconds), lease = null,
        leased_until = null, claims = 0
      from unnest(delivery_ids, lease_tokens, nexts, delays_seconds)
        as attempt (delivery_id, lease_token, next, delay_seconds)
      where next = 'retry' and ${itsPlace('attempt.delivery_id')} and lease = lease_token;
    end if;
    ${END_KEEPING_QUEUES}
    return finished_ids;
  end $$`,
);
