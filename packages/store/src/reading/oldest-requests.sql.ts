import { databaseFunction } from '../functions/database-function.ts';

/**
 * As `newest_requests`, from the other end: an index is walked in one direction, so the order is no argument.
 */
export const oldestRequestsFunction = databaseFunction(`
  create function oldest_requests(
    of_account text, outcomes text[], are_undelivered boolean[], with_pending boolean, floor_id text, before_id text,
    rows_max integer
  ) returns text[] language plpgsql stable
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  declare
    found_ids text[] := '{}';
  begin
    for place in 1 .. cardinality(outcomes) loop
      found_ids := found_ids || array(
        select id::text from request
        where account_id between of_account and of_account and outcome <> 'none' and outcome = outcomes[place] collate "default"
          and undelivered = are_undelivered[place] and id >= floor_id and id < before_id
        order by account_id desc, id limit rows_max);
    end loop;
    if with_pending then
      found_ids := found_ids || array(
        select request_id::text from work_queue
        where account_id between of_account and of_account and request_id >= floor_id and request_id < before_id
        order by account_id, request_id limit rows_max);
      found_ids := found_ids || array( -- erased before they were finished
        select id::text from request
        where account_id between of_account and of_account and outcome = 'none' and erased_at is not null
          and id >= floor_id and id < before_id
        order by account_id desc, id limit rows_max);
    end if;
    return array(select id from unnest(found_ids) as id order by id collate "C" limit rows_max);
  end $$`);
