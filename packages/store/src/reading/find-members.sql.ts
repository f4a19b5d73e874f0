import { databaseFunction } from '../functions/database-function.ts';

/**
 * The newest requests of a span of ids that have one of these numbers, or the oldest. All that have one are found by the index before the
 * first are chosen: by one statement the planner might read everybody's newest instead, in the hope of meeting them.
 */
export const findMembersFunction = databaseFunction(`
  create function find_members(numbers bigint[], floor_id text, before_id text, oldest_first boolean, rows_max integer)
  returns setof text language plpgsql stable
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  declare
    found_ids text[];
  begin
    found_ids := array(select request.id::text from request where member_index = any (numbers));
    return query
    select id from unnest(found_ids) as id
    where id collate "C" >= floor_id and id collate "C" < before_id
    order by case when oldest_first then id collate "C" end, id collate "C" desc limit rows_max;
  end $$`);
