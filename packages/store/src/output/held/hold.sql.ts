import { databaseFunction } from '../../functions/database-function.ts';

/**
 * Holds the output of a verifier's key. Keyed senders get the part that anonymous ones leave, at least half of the
 * capacity, and one key at most half of that, so that another key always finds room. The anonymous counters are read
 * without a lock: no keyed sender waits for them, and outputs that are being written may exceed the cap by their
 * size.
 *
 * One that names a known request is an event of it, `request.held`, which is counted here and written by the caller.
 * Outputs of anonymous senders make no event: their cost must not depend on the request.
 *
 * held_id is null when there is no room, and for an output that names an erased request: `is_erased`. `holding` is
 * the advisory lock of that name.
 */
export const holdKeyedOutputFunction = databaseFunction(`
  create function hold_keyed_output(
    new_id text, reason text, request_id text, new_digest bytea, body bytea, benefits bytea, evidence bytea, differences bytea, new_byte_count integer, key_id text,
    other_ids text[], row_count_max bigint, byte_count_max bigint, holding bigint,
    event_number integer, out held_id text, out is_erased boolean
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    share record;
    room record;
    own record;
  begin
    -- Its own request is locked by the caller.
    is_erased := false;
    if other_ids is not null then
      perform pg_advisory_xact_lock_shared(holding);
      is_erased := exists (select from request where erased_at is not null and id = any (other_ids));
      if is_erased then return; end if;
    end if;
    select sum(row_count) as row_count, sum(byte_count) as byte_count into share from (
      select * from held_count where is_keyed order by reason for no key update
    ) as keyed;
    -- One that came meanwhile is seen now, as is every other of this share: there is one writer at a time.
    select held.id into held_id from held_output held
    where held.digest = new_digest and held.status = 'held';
    if found then return; end if;

    select
      greatest(row_count_max - row_count_max / 2,
        row_count_max - sum(row_count + dismissed_row_count)) as row_count,
      greatest(byte_count_max - byte_count_max / 2,
        byte_count_max - sum(byte_count + dismissed_byte_count)) as byte_count
    into room from held_count where not is_keyed;
    if share.row_count + 1 > room.row_count
      or share.byte_count + new_byte_count > room.byte_count then return; end if;

    -- Below half of the room, all keys together, no key needs to be counted.
    if (share.row_count + 1) * 2 > room.row_count
      or (share.byte_count + new_byte_count) * 2 > room.byte_count then
      select count(*) as row_count, coalesce(sum(byte_count), 0) as byte_count into own
      from held_output where received_by = key_id and status = 'held';
      if (own.row_count + 1) * 2 > room.row_count + 1
        or (own.byte_count + new_byte_count) * 2 > room.byte_count then return; end if;
    end if;

    insert into held_output (id, reason, request_id, other_request_ids, digest, body, benefits, evidence, differences, byte_count, received_by)
    values (new_id, reason, request_id, other_ids, new_digest, body, benefits, evidence, differences, new_byte_count, key_id);
    held_id := new_id;
    if request_id is not null then
      update request set event_count = event_number where request.id = request_id;
    end if;
  end $$`);

/**
 * Holds an anonymous output. The store is never full: the output displaces the oldest of its client if that client is
 * at its limit, then the oldest of all until the share has room. The share is what keyed senders leave, at most half
 * of the capacity and at least a fiftieth, even if that exceeds the cap. `displaced` counts the displaced outputs
 * that were still waiting.
 *
 * Skips rows that are being settled or removed: those transactions wait for the counters that this call has locked.
 *
 * Looks up named requests only among the erased ones, by their own index, so a known id costs as much as an unknown
 * one.
 *
 * held_id is null when the output is larger than the share, and for one that names an erased request: `is_erased`.
 * `holding` is the advisory lock of that name.
 */
export const holdAnonymousOutputFunction = databaseFunction(`
  create function hold_anonymous_output(
    new_id text, reason text, named_request_id text, other_ids text[], new_digest bytea, body bytea, new_byte_count integer, of_client bytea,
    row_count_max bigint, byte_count_max bigint, client_row_count_max integer, holding bigint,
    out held_id text, out displaced integer, out is_erased boolean
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    share record;
    rows_over bigint;
    bytes_over bigint;
    gone record;
    batch integer := 1;
  begin
    displaced := 0;
    perform pg_advisory_xact_lock_shared(holding);
    is_erased := exists (
      select from request where erased_at is not null and id = any (named_request_id || coalesce(other_ids, '{}')));
    if is_erased then return; end if;
    select sum(row_count + dismissed_row_count) as row_count, sum(byte_count + dismissed_byte_count) as byte_count
    into share from (
      select * from held_count where not is_keyed order by reason for no key update
    ) as anonymous;
    -- One that came meanwhile is seen now, as is every other of this share: there is one writer at a time.
    select held.id into held_id from held_output held
    where held.digest = new_digest and held.status = 'held';
    if found then return; end if;

    select share.row_count + 1
        - greatest(row_count_max / 50, least(row_count_max / 2, row_count_max - sum(row_count))),
      share.byte_count + new_byte_count
        - greatest(byte_count_max / 50, least(byte_count_max / 2, byte_count_max - sum(byte_count)))
    into rows_over, bytes_over from held_count where is_keyed;
    if rows_over > share.row_count or bytes_over > share.byte_count then return; end if;

    with displaced_row as (
      delete from held_output where id = any (array(
        select held.id from held_output held where held.id = any (array(
          select own.id from held_output own
          where own.client = of_client and received_by is null and status <> 'applied'
          order by (status = 'held') desc, own.id desc
          offset client_row_count_max - 1
        )) for update skip locked
      ))
      returning byte_count, status
    )
    select count(*) as row_count, coalesce(sum(byte_count), 0) as byte_count,
      count(*) filter (where status = 'held') as held_count
    into gone from displaced_row;
    displaced := displaced + gone.held_count;
    rows_over := rows_over - gone.row_count;
    bytes_over := bytes_over - gone.byte_count;

    -- As few as make room, twice as many looked at each time: one, as a rule.
    while rows_over > 0 or bytes_over > 0 loop
      batch := greatest(batch, rows_over);
      with oldest as (
        select byte_count, (status = 'held') as waits, id from held_output
        where received_by is null and status <> 'applied'
        order by (status = 'held'), id
        limit batch
        for update skip locked
      ), displaced_row as (
        delete from held_output where id = any (array(
          select id from (
            select id, row_number() over by_age as number, sum(byte_count) over by_age - byte_count as bytes_before
            from oldest window by_age as (order by waits, id)
          ) as aged
          where number <= rows_over or bytes_before < bytes_over
        ))
        returning byte_count, status
      )
      select count(*) as row_count, coalesce(sum(byte_count), 0) as byte_count,
        count(*) filter (where status = 'held') as held_count
      into gone from displaced_row;
      exit when gone.row_count = 0;
      displaced := displaced + gone.held_count;
      rows_over := rows_over - gone.row_count;
      bytes_over := bytes_over - gone.byte_count;
      batch := batch * 2;
    end loop;

    insert into held_output (id, reason, named_request_id, other_request_ids, digest, body, byte_count, client)
    values (new_id, reason, named_request_id, other_ids, new_digest, body, new_byte_count, of_client);
    held_id := new_id;
  end $$`);
