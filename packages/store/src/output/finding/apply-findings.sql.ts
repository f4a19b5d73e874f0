import { databaseFunction } from '../../functions/database-function.ts';

/**
 * Makes findings of different requests their next results, and returns the positions, from 1, of the applied ones. It
 * skips a request that already has that version, whose named lease no longer holds, or that somebody else is changing:
 * it waits for none, so no finding of a list delays another.
 *
 * A request has at most one open attempt. `FindingAttempt` determines whether a finding ends it or writes a new one.
 * The line in `access_log` names the finding's held output, if any, as its subject.
 *
 * With its first result a request leaves the queue, and keeps the channel in which it was; its drafts end too. Unfinished
 * deliveries of earlier versions are superseded: their rows of the queue first, as a claim locks them.
 *
 * A delivery that a worker of the calling process has a slot for is written under that worker's lease, without a
 * notification; the account's currently signing secrets are returned, sealed, latest first.
 *
 * One statement per table, however long the list: at 16 findings per call each costs the database a third of a single
 * one. Whatever is joined to a list is bounded by it as well (`= any`): so no plan reads more than the list's rows.
 */
export const applyFindingsFunction = databaseFunction(`
  create function apply_findings(
    request_ids text[], versions integer[], outcomes text[], outcome_reasons bytea[], bodies bytea[], benefits bytea[], digests bytea[],
    slugs text[], held_output_ids text[], key_ids text[], caller_account_ids text[], operations text[],
    actor_names text[], session_ids text[], addresses text[], emergencies boolean[],
    have_attempts boolean[], lease_tokens uuid[], channels text[], evidences bytea[],
    delivery_ids text[], account_ids text[], destinations bytea[], destination_hosts bytea[],
    delay_seconds float8, delivery_lease_tokens uuid[], lease_seconds integer, notifier text,
    out places integer[], out written_at timestamptz, out signing_account_ids text[], out signing_secrets bytea[]
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    applied_ids text[];
    places_with_attempt integer[];
    superseded_ids text[];
  begin
    select coalesce(array_agg(place), '{}'), array_agg(finding.request_id) into places, applied_ids
    from unnest(request_ids, versions, lease_tokens) with ordinality
      as finding (request_id, version, lease_token, place)
    cross join lateral (
      select from request where request.id = finding.request_id and request.version = finding.version - 1
      for no key update skip locked
    ) as locked
    left join lateral (
      select queued.request_id from work_queue queued
      where queued.request_id = finding.request_id and queued.request_id = any (request_ids)
        and (finding.lease_token is null or (queued.lease = finding.lease_token and queued.leased_until > now()
          and queued.leased_at <= now() + interval '5 seconds'))
      for no key update skip locked
    ) as queued on finding.version = 1
    where finding.version > 1 or queued.request_id is not null;
    written_at := now();
    if places = '{}' then return; end if;

    with ended as (
      update verification_attempt attempt set ended_at = now(), error_reason = slug, result_version = version,
        outcome = case finding.outcome when 'complete' then 'succeeded' else 'failed' end,
        evidence = finding.evidence
      from unnest(request_ids, versions, outcomes, slugs, key_ids, have_attempts, lease_tokens, evidences)
        with ordinality
        as finding (request_id, version, outcome, slug, key_id, has_attempt, lease_token, evidence, place)
      where place = any (places) and has_attempt and (lease_token is not null or attempt.key_id = finding.key_id)
        and attempt.request_id = finding.request_id and attempt.request_id = any (applied_ids)
        and attempt.ended_at is null
      returning place
    )
    select coalesce(array_agg(place), '{}') into places_with_attempt from ended;
    if cardinality(places_with_attempt) < cardinality(places) then
      update verification_attempt set ended_at = now(), outcome = 'superseded'
      where request_id = any (applied_ids) and ended_at is null;
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      select finding.request_id, 1 + coalesce(
          (select max(number) from verification_attempt earlier where earlier.request_id = finding.request_id), 0),
        request.account_id, request.payer_id, finding.channel, finding.key_id, now(),
        case finding.outcome when 'complete' then 'succeeded' else 'failed' end, slug, finding.version
      from unnest(request_ids, versions, outcomes, slugs, key_ids, have_attempts, channels) with ordinality
        as finding (request_id, version, outcome, slug, key_id, has_attempt, channel, place)
      join request on request.id = finding.request_id and request.id = any (applied_ids)
      where place = any (places) and has_attempt and place <> all (places_with_attempt);
    end if;

    with finished as (
      delete from work_queue where request_id = any (applied_ids) returning request_id, channel
    )
    update request set outcome = finding.outcome, outcome_reason = finding.outcome_reason, version = finding.version,
      channel = coalesce((select channel from finished where finished.request_id = finding.request_id), request.channel),
      delivery = 'pending', delivery_reason = null
    from unnest(request_ids, versions, outcomes, outcome_reasons) as finding (request_id, version, outcome, outcome_reason)
    where request.id = finding.request_id and request.id = any (applied_ids);

    insert into result (request_id, version, outcome, body, benefits, digest, applied_by, held_output_id)
    select request_id, version, outcome, body, said, digest, key_id, held_output_id
    from unnest(request_ids, versions, outcomes, bodies, benefits, digests, key_ids, held_output_ids) with ordinality
      as finding (request_id, version, outcome, body, said, digest, key_id, held_output_id, place)
    where place = any (places);

    delete from draft where request_id = any (applied_ids);

    if 1 < any (versions) then
      superseded_ids := array(select id from delivery where request_id = any (applied_ids) and done_at is null);
      delete from delivery_queue where delivery_id = any (superseded_ids);
      update delivery set status = 'superseded', done_at = now()
      where id = any (superseded_ids) and done_at is null;
    end if;

    insert into delivery (id, request_id, version, account_id, destination, destination_host)
    select delivery_id, request_id, version, account_id, destination, destination_host
    from unnest(delivery_ids, request_ids, versions, account_ids, destinations, destination_hosts) with ordinality
      as message (delivery_id, request_id, version, account_id, destination, destination_host, place)
    where place = any (places);
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id, lease, leased_at,
      leased_until, claim_count)
    select destination_host, account_id, now() + make_interval(secs => delay_seconds), delivery_id, request_id,
      lease_token, taken.at, taken.at + make_interval(secs => lease_seconds), (lease_token is not null)::int
    from unnest(delivery_ids, request_ids, account_ids, destination_hosts, delivery_lease_tokens) with ordinality
      as message (delivery_id, request_id, account_id, destination_host, lease_token, place)
    cross join lateral (select case when lease_token is not null then now() end as at) as taken
    where place = any (places);

    select array_agg(account_id order by account_id, rank), array_agg(secret order by account_id, rank)
    into signing_account_ids, signing_secrets
    from (
      select distinct account_id
      from unnest(account_ids, delivery_lease_tokens) with ordinality as message (account_id, lease_token, place)
      where place = any (places) and lease_token is not null
    ) as sending
    join account on account.id = sending.account_id and account.id = any (account_ids)
    cross join lateral (
      select 0 as rank, account.webhook_secret as secret
      union all
      select 1, account.previous_webhook_secret where account.previous_webhook_secret_until > now()
      union all
      select 1 + row_number() over (order by valid_until desc), earlier.secret from earlier_webhook_secret earlier
      where account.previous_webhook_secret_until > now() and earlier.account_id = account.id
        and earlier.valid_until > now()
    ) as signing;

    insert into access_log (
      key_id, account_id, operation, request_id, request_account_ids, subject_id, actor_name, session_id, address,
      emergency
    )
    select key_id, account_id, operation, request_id, array[request_account_id], held_output_id, actor_name,
      session_id, address, emergency
    from unnest(
      key_ids, caller_account_ids, operations, request_ids, account_ids, held_output_ids,
      actor_names, session_ids, addresses, emergencies
    ) with ordinality as access (
      key_id, account_id, operation, request_id, request_account_id, held_output_id, actor_name, session_id, address,
      emergency, place
    )
    where place = any (places);

    if exists (
      select from unnest(delivery_lease_tokens) with ordinality as message (lease_token, place)
      where place = any (places) and lease_token is null
    ) then
      perform pg_notify('delivery_due', notifier);
    end if;
  end $$`);
