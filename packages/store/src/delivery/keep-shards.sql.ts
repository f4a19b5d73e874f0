import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `keepShards`. `turns` is the advisory lock for it: calls come one at a time, so two workers never read each
 * other's state while either changes it.
 *
 * The account slots of all workers never exceed `account_max` together: a new worker gets the slots that the others
 * have given up. A worker takes no shard before it has a slot.
 */
export const keepShardsFunction = databaseFunction(`
  create function keep_delivery_shards(
    me uuid, busiest integer, released integer[], leaves boolean, lease_seconds integer, account_max integer,
    turns bigint, out shards integer[], out worker_count integer, out slots integer, out next_end_seconds float8
  ) language plpgsql as $$
  declare
    slots_before integer;
    slots_of_others integer;
    share integer;
    has_news boolean;
  begin
    perform pg_advisory_xact_lock(turns);
    -- A row that ends later than any written now dates from before the clock was set back.
    delete from delivery_worker
    where id <> me and not until between clock_timestamp() and clock_timestamp() + make_interval(secs => lease_seconds + 5);
    has_news := found or cardinality(released) > 0;

    select account_slots into slots_before from delivery_worker where id = me;
    has_news := has_news or slots_before is null;
    select count(*) filter (where not is_leaving) + (not leaves)::int, coalesce(sum(account_slots), 0),
      extract(epoch from min(until) - clock_timestamp())
    into worker_count, slots_of_others, next_end_seconds
    from delivery_worker where id <> me;
    share := ceil(256.0 / greatest(worker_count, 1));
    slots := case when leaves then busiest
      else greatest(busiest, least(account_max / worker_count, account_max - slots_of_others)) end;
    has_news := has_news or slots < slots_before;
    insert into delivery_worker (id, until, account_slots, is_leaving)
    values (me, clock_timestamp() + make_interval(secs => lease_seconds), slots, leaves)
    on conflict (id) do update
      set until = excluded.until, account_slots = excluded.account_slots, is_leaving = excluded.is_leaving;

    update delivery_shard set owner = null where owner = me and shard = any (released);
    if slots > 0 and not leaves then
      update delivery_shard set owner = me where shard in (
        select shard from delivery_shard where owner is null order by shard
        limit greatest(share - (select count(*) from delivery_shard where owner = me), 0)
      );
    end if;
    select coalesce(array_agg(shard::integer order by shard), '{}') into shards
    from delivery_shard where owner = me;
    if leaves and shards = '{}' and busiest = 0 then
      delete from delivery_worker where id = me;
      has_news := true;
    end if;
    if has_news then perform pg_notify('delivery_due', 'shards:' || me); end if;
  end $$`);
