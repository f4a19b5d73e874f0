import { databaseFunction } from '../functions/database-function.ts';

/** As `issueId`, by the database's clock: for ids that a statement issues for rows that only it knows. */
export const issueIdFunction = databaseFunction(`
  create function issue_id(prefix text) returns text language sql volatile as $$
    select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits from 1 + 5 * place for 5)::integer, 1), '' order by place)
    from (
      select B'00' || floor(1000 * extract(epoch from clock_timestamp()))::bigint::bit(48) || B'0111'
        || substring(random from 53 for 76) as bits
      from (select ('x' || translate(gen_random_uuid()::text, '-', ''))::bit(128) as random) as drawn
    ) as made cross join generate_series(0, 25) as place
  $$`);

/**
 * Whether an endpoint takes events now. It rests while its account is suspended. A subscription over MCP ends with its
 * time to live, and while the key that made it is not live.
 */
export const endpointIsOpenFunction = databaseFunction(`
  create function endpoint_is_open(endpoint webhook_endpoint) returns boolean language sql stable as $$
    select endpoint.ended_at is null and endpoint.disabled_at is null
      and exists (select from account where account.id = endpoint.account_id and account.suspended_at is null)
      and (endpoint.key_id is null or endpoint.expires_at > now() and exists (
        select from api_key where api_key.id = endpoint.key_id and api_key.revoked_at is null
          and (api_key.expires_at is null or api_key.expires_at > now())))
  $$`);

/**
 * Writes events that the service made and signed (`writeEvents`), and a delivery of each for every endpoint that has its
 * type, in the transaction of what happened. `request.held` is for operators: an account's own endpoints never have it.
 * An event of anybody else has no right MAC, and so is neither posted nor listed.
 *
 * Looks at no endpoint where none is open: most services have none, and every result is an event.
 *
 * @param ids null where there is no event.
 * @param only_endpoints of each event the one endpoint that gets it; null: all that have its type.
 */
export const writeEventsFunction = databaseFunction(
  `
  create function write_events(
    ids text[], accounts text[], the_types text[], subjects text[], numbers integer[], bodies text[], macs bytea[],
    only_endpoints text[]
  ) returns void language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  begin
    insert into event (id, account_id, type, subject_id, number, body, mac)
    select * from unnest(ids, accounts, the_types, subjects, numbers, bodies, macs) as written (id) where id is not null;
    if not exists (select from webhook_endpoint where ended_at is null and disabled_at is null) then return; end if;
    with posted as (
      insert into delivery (id, event_id, endpoint_id, account_id, destination, destination_host)
      select issue_id('msg'), written.id, listening.id, listening.account_id, listening.url, listening.destination_host
      from unnest(ids, accounts, the_types, only_endpoints) as written (id, account_id, type, only_endpoint)
      cross join lateral (
        select endpoint.* from webhook_endpoint as endpoint
        where ended_at is null and endpoint.account_id = written.account_id and written.type <> 'request.held'
          and reach = 'own'
        union all
        select endpoint.* from webhook_endpoint as endpoint
        where ended_at is null and reach <> 'own'
          and (reach = 'all' or (select mode from account where account.id = written.account_id) = reach)
      ) as listening
      where written.id is not null and endpoint_is_open(listening)
        and case when only_endpoint is null then written.type = any (types) else listening.id = only_endpoint end
      returning delivery.*
    )
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
    select posted.destination_host, posted.account_id, now(), posted.id from posted;
    -- Not the name of any process: all of them look, also the one that wrote it.
    if found then perform pg_notify('delivery_due', 'event'); end if;
  end $$`,
  issueIdFunction,
  endpointIsOpenFunction,
);

/**
 * Keeps account of an attempt to post to an endpoint. An endpoint that only fails is reported after 2 hours and after
 * 24, and disabled after 5 days; one that answers 410 is disabled at once. A subscription over MCP ends with a 410, and
 * otherwise with its time to live, without a report. Runs in the transaction of the attempt.
 *
 * Returns the event that is due, which the caller writes: `failing_hours` for `endpoint.failing`, `off_reason` for
 * `endpoint.disabled`, neither for none.
 */
export const noteEndpointFunction = databaseFunction(`
  create function note_endpoint(
    the_endpoint text, is_taken boolean, is_gone boolean, out failing_hours integer, out off_reason text
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off as $$
  declare
    endpoint record;
    since timestamptz;
    hours integer;
  begin
    if is_taken then
      update webhook_endpoint set failing_since = null, told_hours = 0
      where id = the_endpoint and failing_since is not null;
      return;
    end if;
    select * into endpoint from webhook_endpoint
    where id = the_endpoint and ended_at is null and disabled_at is null for no key update;
    if not found then return; end if;
    if endpoint.subscription is not null then
      if is_gone then update webhook_endpoint set ended_at = now() where id = the_endpoint; end if;
      return;
    end if;
    since := coalesce(endpoint.failing_since, now());
    if is_gone or since <= now() - interval '5 days' then
      off_reason := case when is_gone then 'gone' else 'failing' end;
      update webhook_endpoint set disabled_at = now(), failing_since = since, disabled_reason = off_reason
      where id = the_endpoint;
      return;
    end if;
    hours := case when since <= now() - interval '24 hours' then 24 when since <= now() - interval '2 hours' then 2 else 0 end;
    update webhook_endpoint set failing_since = since, told_hours = greatest(told_hours, hours) where id = the_endpoint;
    if hours > endpoint.told_hours then failing_hours := hours; end if;
  end $$`);
