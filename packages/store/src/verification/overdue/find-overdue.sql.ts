import { BY_INDEX_ALONE } from '../../functions/by-index-alone.ts';
import { databaseFunction } from '../../functions/database-function.ts';

/**
 * Finds overdue requests: those whose lease lapsed; those whose time in their channel is over, for payers with a route;
 * and those unclaimed for longer than the first channel of their route allows. The walk for the last group costs one
 * probe per account, however many requests there are, and reads the longest due ones of an account that has any.
 *
 * As a plain statement, planned each time, the search for leases read the whole table until it was first analyzed: 98
 * ms at 230,000 rows, at every poll.
 */
export const findOverdueFunction = databaseFunction(
  'find_overdue',
  (name) => `create function ${name}(
    payer_ids text[], entry_seconds float8[], rows_max integer, account_rows_max integer
  ) returns setof text language plpgsql ${BY_INDEX_ALONE} as $$
  begin
    return query
      select request_id::text from work_queue where leased_until is not null and leased_until <= now() limit rows_max;
    return query
      select overdue.id::text from unnest(payer_ids) as route (payer_id) cross join lateral (
        select request_id as id from work_queue
        where payer_id = route.payer_id and channel_until <= now() and leased_until is null
        order by channel_until limit rows_max
      ) as overdue
      limit rows_max;
    return query
      with recursive route as (
        select * from unnest(payer_ids, entry_seconds) as route (payer_id, seconds_max)
      ), walk as (
        select route.*, head.* from route cross join lateral (
          select hashtext(account_id) as slot, account_id, due_at from work_queue
          where pool = 'live' and channel = 'entry' and payer_id = route.payer_id
          order by hashtext(account_id), account_id, due_at limit 1
        ) as head
        union all
        select walk.payer_id, walk.seconds_max, head.* from walk cross join lateral (
          select hashtext(account_id) as slot, account_id, due_at from work_queue
          where pool = 'live' and channel = 'entry' and payer_id = walk.payer_id
            and (hashtext(account_id), account_id) > (walk.slot, walk.account_id)
          order by hashtext(account_id), account_id, due_at limit 1
        ) as head
      )
      select overdue.id::text from walk cross join lateral (
        select request_id as id from work_queue
        where pool = 'live' and channel = 'entry' and payer_id = walk.payer_id
          and hashtext(account_id) = walk.slot and account_id = walk.account_id
          and due_at <= now() - make_interval(secs => walk.seconds_max)
        order by due_at limit account_rows_max
      ) as overdue
      where walk.due_at <= now() - make_interval(secs => walk.seconds_max)
      limit rows_max;
  end $$`,
);
