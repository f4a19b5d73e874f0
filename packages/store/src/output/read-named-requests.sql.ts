import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `readNamedRequests`. Planned for each call, the statement took the database 0.7 ms, of which it ran for 0.06.
 */
export const readNamedRequestsFunction = databaseFunction(`
  create function read_named_requests(request_ids text[]) returns table (
    id text, account_id text, payer_id text, input bytea, received_at timestamptz, version integer, channel queue_name,
    attempt_number integer, lease uuid, standing_digest bytea
  ) language plpgsql stable
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  begin
    return query
    select request.id::text, request.account_id::text, request.payer_id, request.input, request.received_at,
      request.version, queued.channel,
      (select max(number) from verification_attempt where request_id = request.id), queued.lease, result.digest
    from request
    left join work_queue queued on queued.request_id = request.id and queued.request_id = any (request_ids)
    left join result on result.request_id = request.id and result.request_id = any (request_ids)
      and result.version = request.version
    where request.id = any (request_ids) and request.erased_at is null; -- of an erased one nothing is left
  end $$`);
