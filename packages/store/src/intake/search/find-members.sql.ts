import { BY_INDEX_ALONE } from '../../functions/by-index-alone.ts';
import { databaseFunction } from '../../functions/database-function.ts';

/**
 * The newest requests that have one of these numbers. The numbers in ascending order, so that their
 * probes share the pages of the index. The `offset` keeps the planner from reading everybody's newest instead, in the hope
 * of meeting one of them: with 5,000 accounts that took a second.
 */
export const findMembersFunction = databaseFunction(
  'find_members',
  (name) => `create function ${name}(numbers bigint[], rows_max integer)
  returns setof text language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  begin
    return query
    select hit.id::text from unnest(numbers) as wanted (number) cross join lateral (
      select id from request where member_index = wanted.number offset 0
    ) as hit
    order by hit.id desc limit rows_max;
  end $$`,
);
