import { databaseFunction } from '../../functions/database-function.ts';

/**
 * Returns the requests that wait for a call-back before `due_before` which a caller may see, the earliest first: those
 * open to any verifier, its own, and with `of_all` also those that others keep. A function, since a plan made while
 * the queue was empty reads all of it after a burst. Without sorts in it, the plan follows the one index that has this
 * order, of what waits for a call-back; made while the queue was empty, it read all that waits in the pool.
 */
export const callBacksFunction = databaseFunction(`
  create function call_backs(of_pool text, due_before timestamptz, by_key text, of_all boolean, rows_max integer) returns table (
    id text, account_id text, payer_id text, channel text, attempt_count integer, call_back_at timestamptz,
    call_back_by text, call_back_is_own boolean, needed_by timestamptz, ready_at timestamptz
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_bitmapscan to off set enable_sort to off as $$
  #variable_conflict use_column
  begin
    return query
    select request_id::text, account_id::text, payer_id, channel::text, attempt_count::integer, call_back_at,
      call_back_by::text, call_back_is_own, needed_by, ready_at
    from work_queue
    where call_back_at is not null and call_back_at <= due_before and pool = of_pool and lease is null
      and (not call_back_is_own or call_back_by = by_key or of_all)
    order by call_back_at limit rows_max;
  end $$`);
