import { databaseFunction } from '../../functions/database-function.ts';

/**
 * The queues to take from, given as lists, and how many more leases each one's payer allows; null for any number.
 * Plain SQL, which is planned as a part of the calling statement.
 */
export const askedQueuesFunction = databaseFunction(`
  create function asked_queues(
    payer_ids text[], queues text[], channels text[], attempt_counts_max integer[], seconds float8[],
    in_flight_counts_max integer[], place_counts integer[], of_pool text
  ) returns table (
    payer_id text, queue text, channel text, attempt_count_max integer, seconds_max float8, in_flight_count_max integer,
    place_count integer, room bigint
  ) language sql stable as $$
    select asked.*, asked.in_flight_count_max - (
        select count(*) from work_queue waiting
        where waiting.payer_id = asked.payer_id and waiting.leased_until > now() and waiting.pool = of_pool
          and asked.in_flight_count_max is not null
      )
    from unnest(payer_ids, queues, channels, attempt_counts_max, seconds, in_flight_counts_max, place_counts)
      as asked (payer_id, queue, channel, attempt_count_max, seconds_max, in_flight_count_max, place_count)
  $$`);

/**
 * How many more requests of an account's batches may be leased at a payer; null for any number. They take nine places of
 * ten; a quarter while something else waits for the payer. At least one. The collation "C" of a column with accounts
 * becomes that of every argument: see `newest_requests`.
 */
export const batchRoomFunction = databaseFunction(`
  create function batch_room(of_payer text, of_account text, of_pool text, place_count integer, is_awaited boolean)
  returns bigint language sql stable as $$
    select case when place_count is not null then greatest(case when is_awaited then place_count / 4 else place_count * 9 / 10 end, 1) - (
      select count(*) from work_queue leased
      where leased.payer_id = of_payer collate "default" and leased.leased_until > now()
        and leased.pool = of_pool collate "default"
        and leased.account_id = of_account and leased.batch_id is not null
    ) end
  $$`);

/**
 * Chooses up to `rows_max` requests to try to lease, in working order, and returns how many candidates there were.
 *
 * Fair across accounts: the walk steps from account to account in each queue, starting at a random one (a loose index
 * scan, one probe each, so a million requests of one account cost as much as one), takes each account's first turns,
 * and puts the least recently served account first; only then do turns count between accounts. A plain `order by
 * turn_at` would serve an account with a backlog for days before any other. If more accounts have work than it
 * compares, each claim compares a random part of them.
 *
 * An account's turns are ordered by when its requests are needed; a request without such a time counts as needed a
 * day after it began to wait, so one needed later than that cannot pass it. Leased and postponed requests come later
 * in the same index, and those of batches after all others. A lapsed lease comes after the waiting requests until the next search for overdue ones puts it
 * back.
 *
 * A narrow choice compares 8 accounts over all the queues with waiting requests, a wide one 64 of each queue. With 6
 * accounts that have a request due, a narrow one reads only the first request of each.
 *
 * Of a payer's queues it visits those with rows: a verifier may take from up to six, and most are empty. Leased
 * requests are rows too, so a narrow choice may meet only accounts without a request due. Then it widens. It reads
 * `work_queue` and when each account was served, and no request: the candidates are anywhere in the largest tables.
 * `lease_work` locks them in order, and checks them again.
 *
 * A function, since planning it took the database several times as long as running it.
 */
export const chooseWorkFunction = databaseFunction(
  `
  create function choose_work(
    payer_ids text[], queues text[], channels text[], attempt_counts_max integer[], seconds float8[],
    in_flight_counts_max integer[], place_counts integer[], of_pool text, rows_max integer, account_rows_max integer,
    batch_rows_max integer, is_narrow boolean, pivot integer
  ) returns table (
    place bigint, id text, queue text, channel text, seconds_max float8, attempt_count_max integer,
    candidate_count bigint
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  begin
    return query
    with recursive queue as materialized (
      select * from asked_queues(payer_ids, queues, channels, attempt_counts_max, seconds, in_flight_counts_max, place_counts,
        of_pool)
    ), present as (
      (select payer_id, channel from work_queue waiting
      where waiting.pool = of_pool and waiting.payer_id >= (select min(payer_id) from queue)
      order by payer_id, channel limit 1)
      union all
      select head.*
      from present cross join lateral (
        select waiting.payer_id, waiting.channel from work_queue waiting
        where waiting.pool = of_pool
          and (waiting.payer_id, waiting.channel) > (present.payer_id, present.channel)
          and waiting.payer_id <= (select max(payer_id) from queue)
        order by waiting.payer_id, waiting.channel limit 1
      ) as head
    ), open as materialized (
      select queue.payer_id, queue.queue,
        case when is_narrow then ceil(8 / count(*) over ()::float8) else 64 end as accounts_max
      from present join queue on queue.payer_id = present.payer_id and queue.queue = present.channel
      where queue.room is null or queue.room > 0
    ), walk as ( -- slots are hashes of accounts: those from the pivot on first, then those below it
      select queue.*, head.*, 1 as depth
      from open queue cross join lateral (
        (select 2147483647 as high, hashtext(account_id) as slot, account_id, request_id, ready_at, turn_at, attempt_count, batch_id
        from work_queue
        where pool = of_pool and payer_id = queue.payer_id and channel = queue.queue and hashtext(account_id) >= pivot
        order by hashtext(account_id), account_id, ready_at, turn_at limit 1)
        union all
        (select pivot - 1, hashtext(account_id), account_id, request_id, ready_at, turn_at, attempt_count, batch_id
        from work_queue
        where pool = of_pool and payer_id = queue.payer_id and channel = queue.queue and hashtext(account_id) < pivot
        order by hashtext(account_id), account_id, ready_at, turn_at limit 1)
        limit 1
      ) as head
      union all
      select walk.payer_id, walk.queue, walk.accounts_max, head.*, walk.depth + 1
      from walk cross join lateral (
        (select walk.high, hashtext(account_id), account_id, request_id, ready_at, turn_at, attempt_count, batch_id
        from work_queue
        where pool = of_pool and payer_id = walk.payer_id and channel = walk.queue
          and (hashtext(account_id), account_id) > (walk.slot, walk.account_id) and hashtext(account_id) <= walk.high
        order by hashtext(account_id), account_id, ready_at, turn_at limit 1)
        union all
        (select pivot - 1, hashtext(account_id), account_id, request_id, ready_at, turn_at, attempt_count, batch_id
        from work_queue
        where walk.high = 2147483647 and pool = of_pool and payer_id = walk.payer_id and channel = walk.queue
          and hashtext(account_id) < pivot
        order by hashtext(account_id), account_id, ready_at, turn_at limit 1)
        limit 1
      ) as head
      where walk.depth < walk.accounts_max
    ), visited as (
      select walk.*, queue.channel, queue.seconds_max, queue.room, queue.place_count, queue.attempt_count_max,
        queue.queue <> queue.channel or walk.attempt_count < queue.attempt_count_max as is_triable,
        (select served_at from account_served where account_served.account_id = walk.account_id) as served_at
      from walk join queue on queue.payer_id = walk.payer_id and queue.queue = walk.queue
      where walk.ready_at <= now()
    ), narrow as (
      select is_narrow and count(*) filter (where is_triable) >= 6 as is_enough from visited
    ), candidate as (
      select waiting.request_id as id, queue.payer_id, queue.account_id, waiting.turn_at, waiting.batch_id, queue.queue, queue.channel, queue.seconds_max,
        queue.room, queue.place_count, queue.attempt_count_max, queue.served_at,
        row_number() over (partition by queue.account_id order by waiting.ready_at, waiting.turn_at, waiting.request_id) as turn
      from visited as queue cross join narrow cross join lateral (
        select queue.request_id, queue.ready_at, queue.turn_at, queue.batch_id where narrow.is_enough and queue.is_triable
        union all
        (select waiting.request_id, waiting.ready_at, waiting.turn_at, waiting.batch_id from work_queue waiting
        where not narrow.is_enough and waiting.pool = of_pool and waiting.payer_id = queue.payer_id
          and waiting.channel = queue.queue and hashtext(waiting.account_id) = queue.slot
          and waiting.account_id = queue.account_id and waiting.ready_at <= now()
          and (queue.queue <> queue.channel or waiting.attempt_count < queue.attempt_count_max)
        order by waiting.ready_at, waiting.turn_at limit account_rows_max)
      ) as waiting
    ), within_batches as ( -- apart, since most claims meet no batch
      select * from candidate where batch_id is null
      union all
      select candidate.* from candidate join (
        select id, row_number() over (partition by payer_id, account_id order by turn) as batch_place,
          payer_id in (select payer_id from candidate group by payer_id
            having bool_or(batch_id is null) or min(account_id) <> max(account_id)) as is_awaited
        from candidate where batch_id is not null
      ) as numbered on numbered.id = candidate.id
      where batch_place <= coalesce(
        least(batch_rows_max, batch_room(payer_id, account_id, of_pool, place_count, is_awaited)), batch_place)
    ), allowed as (
      select *, row_number() over (order by turn, served_at nulls first, turn_at, id) as place,
        row_number() over (partition by payer_id order by turn, served_at nulls first, turn_at, id) as payer_place,
        count(*) over () as candidate_count
      from within_batches
    )
    select place, id::text, queue, channel, seconds_max, attempt_count_max, candidate_count from allowed
    where payer_place <= coalesce(room, payer_place) and place <= rows_max
    order by place;
    if is_narrow and not found then
      return query
      select * from choose_work(payer_ids, queues, channels, attempt_counts_max, seconds, in_flight_counts_max, place_counts,
        of_pool, rows_max, account_rows_max, batch_rows_max, false, pivot);
    end if;
  end $$`,
  askedQueuesFunction,
  batchRoomFunction,
);
