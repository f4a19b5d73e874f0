import { databaseFunction } from '../functions/database-function.ts';

/**
 * When a request's time ends in a channel that it enters now. A request that is needed by a time stays for at most
 * half of the remaining time, so that a slower channel has the other half, but at least a minute, which a verifier
 * needs to claim it. Once that time is past, the channel has its whole time again. In the last channel of a route
 * `planOverdue` restores the whole time.
 */
export const channelEndFunction = databaseFunction(`
  create function channel_end(seconds_max float8, needed_by timestamptz) returns timestamptz language sql stable as $$
    select now() + make_interval(secs => case
      when needed_by > now() then least(seconds_max, greatest(60, extract(epoch from needed_by - now())::float8 / 2))
      else seconds_max
    end)
  $$`);

/**
 * Until when a request that entered a channel at `entered` waits there for a payer that does not answer. `until_seconds`:
 * seconds from then on; 0: by the time that it is needed. In the last channel of a route that is until it is needed; else a
 * single request stays for half of the time that is left, and one of a batch until two hours before, so that people have
 * those. Without such a time, or after it, eight hours of a batch and one hour of a single request.
 */
export const keepUntilFunction = databaseFunction(`
  create function keep_until(
    until_seconds bigint, is_last boolean, entered timestamptz, needed_by timestamptz, is_of_batch boolean
  ) returns timestamptz language sql stable as $$
    select entered + make_interval(secs => case
      when until_seconds > 0 then until_seconds
      when coalesce(needed_by <= entered, true) then case when is_of_batch then 28800 else 3600 end
      when is_last then remaining
      when is_of_batch then greatest(remaining - 7200, least(remaining / 2, 3600))
      else greatest(remaining / 2, 60)
    end)
    from (select extract(epoch from needed_by - entered)::float8 as remaining) as time
  $$`);

/**
 * Inserts requests, their places in the queue, their idempotency keys and their access log entries in one call, and
 * so in one transaction. The keys come first, in separate lists: most requests have none, and a request whose key was
 * used before is not written at all. Returns the ids of those repeated requests.
 *
 * A request that is needed by a time leaves the first channel of its route early for it (see `channel_end`); the
 * route's own time there is checked account by account. Where this service asks the payer in that channel, the request
 * waits there as `keep_until` says.
 *
 * @param keep_seconds of the first channel of the request's route, as `keep_until` takes them; null: it is another one.
 * @param of_batch the batch that they all came in, with one entry of the access log; null for single requests.
 *
 * Plain inserts, each from its lists: as parts of one statement, joined to the accounts, they took the database 10 to
 * 16 µs more per request.
 */
export const insertRequestsFunction = databaseFunction(
  `
  create function insert_requests(
    ids text[], account_ids text[], key_ids text[], payer_ids text[], payer_names text[], inputs bytea[],
    sandboxes boolean[], member_indexes bigint[], npi_indexes bigint[], service_dates bytea[], needed_bys text[],
    keyed_ids text[], keyed_account_ids text[], idempotency_keys bytea[], body_digests bytea[],
    actor_names text[], session_ids text[], addresses text[], emergencies boolean[], of_batch text,
    keep_seconds bigint[], keeps_last boolean[], genders bytea[]
  ) returns text[] language plpgsql as $$
  #variable_conflict use_column
  declare repeated text[] := '{}';
  begin
    if cardinality(keyed_ids) > 0 then
      with kept as (
        insert into idempotency_key (account_id, key, body_digest, request_id)
        select account_id, key, body_digest, id
        from unnest(keyed_ids, keyed_account_ids, idempotency_keys, body_digests)
          as keyed (id, account_id, key, body_digest)
        order by account_id, key -- two lists with the same keys must not wait for each other in a circle
        on conflict (account_id, key) do nothing
        returning request_id
      )
      select coalesce(array_agg(id), '{}') into repeated
      from unnest(keyed_ids) as id where id not in (select request_id from kept);
    end if;
    insert into request (id, account_id, payer_id, payer_name, input, sandbox, member_index, npi_index, service_date, needed_by,
      gender)
    select id, account_id, payer_id, payer_name, input, sandbox, member_index, npi_index, service_date, needed_by::timestamptz,
      gender
    from unnest(ids, account_ids, payer_ids, payer_names, inputs, sandboxes, member_indexes, npi_indexes, service_dates,
        needed_bys, genders)
      as incoming (id, account_id, payer_id, payer_name, input, sandbox, member_index, npi_index, service_date, needed_by,
        gender)
    where id <> all (repeated);
    insert into work_queue (request_id, account_id, payer_id, pool, needed_by, batch_id, channel_until)
    select id, account_id, payer_id, case when sandbox then 'sandbox' else 'live' end, needed_by::timestamptz, of_batch,
      case when sandbox then null
        when keep_second is not null then keep_until(keep_second, is_last, now(), needed_by::timestamptz, of_batch is not null)
        when needed_by::timestamptz > now() then channel_end(1e9, needed_by::timestamptz) end
    from unnest(ids, account_ids, payer_ids, sandboxes, needed_bys, keep_seconds, keeps_last)
      as incoming (id, account_id, payer_id, sandbox, needed_by, keep_second, is_last)
    where id <> all (repeated);
    if of_batch is not null then
      insert into access_log (key_id, account_id, operation, request_id, request_ids, request_account_ids, subject_id,
        actor_name, session_id, address, emergency)
      values (key_ids[1], account_ids[1], 'batches.create', case when cardinality(ids) = 1 then ids[1] end,
        case when cardinality(ids) > 1 then ids end, array[account_ids[1]], of_batch, actor_names[1], session_ids[1],
        addresses[1], emergencies[1]);
      return repeated;
    end if;
    insert into access_log (key_id, account_id, operation, request_id, request_account_ids, actor_name, session_id, address,
      emergency)
    select key_id, account_id, 'requests.create', id, array[account_id], actor_name, session_id, address, emergency
    from unnest(ids, account_ids, key_ids, actor_names, session_ids, addresses, emergencies)
      as incoming (id, account_id, key_id, actor_name, session_id, address, emergency)
    where id <> all (repeated);
    return repeated;
  end $$`,
  channelEndFunction,
  keepUntilFunction,
);
