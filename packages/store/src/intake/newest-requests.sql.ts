import { BY_INDEX_ALONE } from '../functions/by-index-alone.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `newestIds`. One walk of an index for each group of finished requests, `outcomes` and `are_undelivered`, and one
 * of the queue, merged by newest: each reads only its own rows, however many requests other accounts or states have.
 * Also ordered by the account, because the planner might otherwise read everybody's newest by the primary key in the
 * hope of meeting the account's. Stable, so all walks see the same moment: a request that is finished meanwhile would
 * be in none of them.
 *
 * From the newest months on: each floor begins another look, at the requests from it on, until there are enough. A walk of
 * all 24 months at once takes the first pages of each one's index, and took the database 6 ms of planning. A statement for
 * each group, since one for all opens the months for every group, also for those that are not asked for: with 24 months
 * a list of a state that nothing is in took it 4.1 ms for 2.9.
 */
export const newestRequestsFunction = databaseFunction(
  'newest_requests',
  (name) => `create function ${name}(
    of_account text, outcomes text[], are_undelivered boolean[], with_pending boolean, floors text[], before_id text,
    rows_max integer
  ) returns text[] language plpgsql stable ${BY_INDEX_ALONE} as $$
  declare
    found_ids text[] := '{}';
    some_ids text[];
    ceiling text := before_id;
    bottom text;
  begin
    foreach bottom in array floors loop
      continue when bottom >= ceiling;
      some_ids := '{}';
      for place in 1 .. cardinality(outcomes) loop
        some_ids := some_ids || array(
          select id::text from request
          where account_id between of_account and of_account and outcome <> 'none' and outcome = outcomes[place]
            and undelivered = are_undelivered[place] and id >= bottom and id < ceiling
          order by account_id, id desc limit rows_max);
      end loop;
      if with_pending then
        some_ids := some_ids || array(
          select request_id::text from work_queue
          where account_id between of_account and of_account and request_id >= bottom and request_id < ceiling
          order by account_id desc, request_id desc limit rows_max);
      end if;
      found_ids := found_ids || array(
        select id from unnest(some_ids) as id order by id collate "C" desc limit rows_max - cardinality(found_ids));
      exit when cardinality(found_ids) >= rows_max;
      ceiling := bottom;
    end loop;
    return found_ids;
  end $$`,
);
