import { byId, itsPlace, itsWork, theLocked, theRequest } from '../../functions/by-id.ts';
import { BY_INDEX_ALONE } from '../../functions/by-index-alone.ts';
import { databaseFunction } from '../../functions/database-function.ts';
import { BEGIN_KEEPING_QUEUES, END_KEEPING_QUEUES } from '../../functions/keep-queues.ts';

/**
 * Makes findings of different requests their next results, and returns the positions, from 1, of the applied ones. It
 * skips a request that already has that version, whose named lease no longer holds, or that somebody else is changing:
 * it waits for none, so no finding of a list delays another.
 *
 * A request has at most one open attempt. `FindingAttempt` determines whether a finding ends it or writes a new one.
 * The line in `access_log` names the finding's held output, if any, as its subject.
 *
 * A request's drafts end with its result.
 *
 * A delivery that a worker of the calling process has a slot for is written under that worker's lease, without a
 * notification; the account's currently signing secrets are returned, sealed, latest first.
 *
 * The lowest and the highest id choose the months; see `byId`.
 *
 * One statement per table, however long the list: at 16 findings per call each costs the database a third of a single
 * one.
 */
export const applyFindingsFunction = databaseFunction(
  'apply_findings',
  (name) => `create function ${name}(
    request_ids text[], versions integer[], outcomes text[], outcome_reasons bytea[], bodies bytea[], digests bytea[],
    slugs text[], held_output_ids text[], key_ids text[], caller_account_ids text[], operations text[],
    have_attempts boolean[], lease_tokens uuid[], channels text[], evidences bytea[],
    delivery_ids text[], account_ids text[], destinations bytea[], destination_hosts bytea[],
    delay_seconds float8, delivery_lease_tokens uuid[], lease_seconds integer, notifier text,
    first_id text, last_id text,
    out places integer[], out written_at timestamptz, out signing_account_ids text[], out signing_secrets bytea[]
  ) language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    request_tables oid[];
    request_places tid[];
    places_with_attempt integer[];
  begin
    select coalesce(array_agg(place) filter (where request.ctid is not null), '{}'), array_agg(request.tableoid),
      array_agg(request.ctid)
    into places, request_tables, request_places
    from unnest(request_ids, versions, lease_tokens) with ordinality
      as finding (request_id, version, lease_token, place)
    left join lateral (
      select request.tableoid, request.ctid from request
      where ${theRequest('finding.request_id')} and request.version = finding.version - 1
        and (finding.lease_token is null
          or (request.lease_token = finding.lease_token and request.lease_until > now()))
      for no key update skip locked
    ) as request on true;
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
        and ${byId('attempt.request_id', 'finding.request_id', 'request_ids')} and attempt.ended_at is null
      returning place
    )
    select coalesce(array_agg(place), '{}') into places_with_attempt from ended;
    if cardinality(places_with_attempt) < cardinality(places) then
      update verification_attempt attempt set ended_at = now(), outcome = 'superseded'
      from unnest(request_ids) with ordinality as finding (request_id, place)
      where place = any (places) and ${byId('attempt.request_id', 'finding.request_id', 'request_ids')}
        and attempt.ended_at is null;
    end if;

    ${BEGIN_KEEPING_QUEUES}
    with changed as (
      update request set outcome = finding.outcome, outcome_reason = finding.outcome_reason,
        version = finding.version, delivery = 'pending', delivery_reason = null, lease_token = null,
        lease_until = null, channel_until = null,
        verification_attempt_count = verification_attempt_count + is_new_attempt::int
      from (
        select *, has_attempt and place <> all (places_with_attempt) as is_new_attempt
        from unnest(versions, outcomes, outcome_reasons, slugs, key_ids, have_attempts, channels, request_tables,
            request_places) with ordinality as finding
          (version, outcome, outcome_reason, slug, key_id, has_attempt, channel, request_table, request_place, place)
        limit cardinality(versions)
      ) as finding
      where ${theLocked('finding')}
      returning request.*, finding.slug, finding.key_id, finding.channel as found_in, is_new_attempt
    ), unqueued as (
      delete from work_queue using changed where ${itsWork('changed')}
    )
    insert into verification_attempt
      (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
    select id, verification_attempt_count, account_id, payer_id, found_in, key_id, now(),
      case outcome when 'complete' then 'succeeded' else 'failed' end, slug, version
    from changed where is_new_attempt;

    insert into result (request_id, version, outcome, body, digest, applied_by, held_output_id)
    select request_id, version, outcome, body, digest, key_id, held_output_id
    from unnest(request_ids, versions, outcomes, bodies, digests, key_ids, held_output_ids) with ordinality
      as finding (request_id, version, outcome, body, digest, key_id, held_output_id, place)
    where place = any (places);

    delete from draft using unnest(request_ids) with ordinality as finding (request_id, place)
    where place = any (places) and draft.request_id = finding.request_id;

    if 1 < any (versions) then
      delete from delivery_queue
      using unnest(request_ids, versions) with ordinality as finding (request_id, version, place)
      join delivery on ${byId('delivery.request_id', 'finding.request_id', 'request_ids')}
        and delivery.done_at is null
      where place = any (places) and finding.version > 1 and ${itsPlace('delivery.id')};
      update delivery set status = 'superseded', done_at = now(), lease_token = null, lease_until = null
      from unnest(request_ids, versions) with ordinality as finding (request_id, version, place)
      where place = any (places) and finding.version > 1
        and ${byId('delivery.request_id', 'finding.request_id', 'request_ids')} and delivery.done_at is null;
    end if;

    insert into delivery (id, request_id, version, account_id, destination, destination_host, run_at)
    select delivery_id, request_id, version, account_id, destination, destination_host,
      now() + make_interval(secs => delay_seconds)
    from unnest(delivery_ids, request_ids, versions, account_ids, destinations, destination_hosts) with ordinality
      as message (delivery_id, request_id, version, account_id, destination, destination_host, place)
    where place = any (places);
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id, lease, leased_since, leased_until,
      claims, of_request)
    select destination_host, account_id, now() + make_interval(secs => delay_seconds), delivery_id, lease_token,
      lease.since, lease.since + make_interval(secs => lease_seconds), (lease_token is not null)::int, request_id
    from unnest(delivery_ids, request_ids, account_ids, destination_hosts, delivery_lease_tokens) with ordinality
      as message (delivery_id, request_id, account_id, destination_host, lease_token, place)
    cross join lateral (select case when lease_token is not null then now() end as since) as lease
    where place = any (places);
    ${END_KEEPING_QUEUES}
    select array_agg(account_id order by account_id, rank), array_agg(secret order by account_id, rank)
    into signing_account_ids, signing_secrets
    from (
      select distinct account_id
      from unnest(account_ids, delivery_lease_tokens) with ordinality as message (account_id, lease_token, place)
      where place = any (places) and lease_token is not null
    ) as sending join account on account.id = sending.account_id cross join lateral (
      select 0 as rank, account.webhook_secret as secret
      union all
      select 1, account.previous_webhook_secret where account.previous_webhook_secret_until > now()
      union all
      select 1 + row_number() over (order by valid_until desc), earlier.secret from earlier_webhook_secret earlier
      where account.previous_webhook_secret_until > now() and earlier.account_id = account.id
        and earlier.valid_until > now()
    ) as signing;

    insert into access_log (key_id, account_id, operation, request_id, subject_id)
    select key_id, account_id, operation, request_id, held_output_id
    from unnest(key_ids, caller_account_ids, operations, request_ids, held_output_ids) with ordinality
      as access (key_id, account_id, operation, request_id, held_output_id, place)
    where place = any (places);

    if exists (
      select from unnest(delivery_lease_tokens) with ordinality as message (lease_token, place)
      where place = any (places) and lease_token is null
    ) then
      perform pg_notify('delivery_due', notifier);
    end if;
  end $$`,
);
