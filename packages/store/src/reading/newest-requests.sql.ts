import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `pageOfIds`. One walk of an index for each group of finished requests, `outcomes` and `are_undelivered`, and one
 * of the queue, and one of what was erased in it, merged by newest: each reads only its own rows, however many requests other accounts or states have.
 * Ordered by the account as well, and that as a range: by an equal account the planner might read everybody's newest by the
 * primary key in the hope of meeting the account's. Stable, so all walks see the same moment: a request that is finished
 * meanwhile would be in none of them.
 *
 * A search passes `account.id`, whose collation "C" then is that of every argument and variable: without its own,
 * `outcome` would be compared under it, and an index under the default one be read whole.
 */
export const newestRequestsFunction = databaseFunction(`
  create function newest_requests(
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
        order by account_id, id desc limit rows_max);
    end loop;
    if with_pending then
      found_ids := found_ids || array(
        select request_id::text from work_queue
        where account_id between of_account and of_account and request_id >= floor_id and request_id < before_id
        order by account_id desc, request_id desc limit rows_max);
      found_ids := found_ids || array( -- erased before they were finished
        select id::text from request
        where account_id between of_account and of_account and outcome = 'none' and erased_at is not null
          and id >= floor_id and id < before_id
        order by account_id, id desc limit rows_max);
    end if;
    return array(select id from unnest(found_ids) as id order by id collate "C" desc limit rows_max);
  end $$`);
