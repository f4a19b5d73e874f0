import { writeEventsFunction } from '../events/write-event.sql.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * Makes findings the next results of different requests that the caller has locked with `lock_requests`, in one round
 * trip and one statement for each table, however long the lists: at 16 findings a call each costs the database a third of
 * a single one. Whatever is joined to a list is bounded by it as well (`= any`), so that no plan reads more than its rows.
 *
 * A request has at most one open attempt. `FindingAttempt` determines whether the finding ends it or writes a new one.
 * The entry in `access_log` names the finding's held output, if any, as its subject, and for a correction both versions.
 *
 * With its first result a request leaves the queue, and keeps the channel in which it was; its drafts end too. Unfinished
 * deliveries of earlier versions are superseded: their rows of the queue first, as a claim locks them.
 *
 * The counters of its batch change with it, and its event is written with it.
 *
 * @param last_channels of each request the channel in which the lock found it in the queue; null: it had left the queue.
 * @param of_batches of each request the batch with which the lock found it in the queue.
 * @param attempt_numbers of each request the number of its latest attempt when it was locked; 0: none, and so no draft.
 * @param event_ids null where there is no event: for a request of the known answers' account.
 * @param delivery_ids null where nothing is sent: for a request of the known answers' account.
 * @param delivery_leases of each delivery the lease of a worker of the calling process that has a slot for it. All others
 * are notified once. The currently signing secrets of the leased ones' accounts are returned, encrypted, by account,
 * latest first.
 */
export const applyFindingsFunction = databaseFunction(
  `
  create function apply_findings(
    request_ids text[], account_ids text[], payer_ids text[], last_channels text[], of_batches text[], attempt_numbers integer[],
    versions integer[], outcomes text[],
    reasons bytea[], bodies bytea[], all_benefits bytea[], digests bytea[], slugs text[], are_withdrawn boolean[], held_output_ids text[],
    key_ids text[], caller_account_ids text[], operations text[], actor_names text[], session_ids text[],
    addresses text[], emergencies boolean[], have_attempts boolean[], have_leases boolean[], channels text[],
    evidences bytea[], event_numbers integer[], delivery_ids text[], destinations bytea[], destination_hosts bytea[],
    delivery_leases text[], event_ids text[], event_types text[], event_bodies text[], event_macs bytea[],
    delay_seconds float8, lease_seconds integer, notifier text,
    out written_at timestamptz, out signing_account_ids text[], out signing_secrets bytea[]
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  #variable_conflict use_column
  declare
    ended_ids text[] := '{}';
    superseded_ids text[];
  begin
    written_at := now();
    if 0 < any (attempt_numbers) and true = any (have_attempts) then
      with ended as (
        update verification_attempt as attempt set ended_at = now(), error_reason = slug, result_version = version,
          outcome = case finding.outcome when 'complete' then 'succeeded' else 'failed' end, evidence = finding.evidence
        from unnest(request_ids, versions, outcomes, slugs, key_ids, have_attempts, have_leases, evidences)
          as finding (request_id, version, outcome, slug, key_id, has_attempt, has_lease, evidence)
        where has_attempt and (has_lease or attempt.key_id = finding.key_id)
          and attempt.request_id = finding.request_id and attempt.request_id = any (request_ids)
          and attempt.ended_at is null
        returning attempt.request_id
      )
      select coalesce(array_agg(request_id), '{}') into ended_ids from ended;
    end if;
    if 0 < any (attempt_numbers) then
      update verification_attempt set ended_at = now(), outcome = 'superseded'
      where request_id = any (request_ids) and request_id <> all (ended_ids) and ended_at is null;
      delete from draft where request_id = any (request_ids);
    end if;
    if cardinality(ended_ids) < cardinality(request_ids) then
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      select request_id, 1 + attempt_number, account_id, payer_id, channel, key_id, now(),
        case outcome when 'complete' then 'succeeded' else 'failed' end, slug, version
      from unnest(request_ids, attempt_numbers, account_ids, payer_ids, versions, outcomes, slugs, key_ids, have_attempts,
          channels)
        as finding (request_id, attempt_number, account_id, payer_id, version, outcome, slug, key_id, has_attempt, channel)
      where has_attempt and request_id <> all (ended_ids);
    end if;

    delete from work_queue where request_id = any (request_ids);
    update request set outcome = finding.outcome, outcome_reason = reason, version = finding.version,
      channel = coalesce(last_channel, request.channel),
      delivery = case when delivery_id is null then 'none' else 'pending' end, delivery_reason = null,
      event_count = event_number
    from unnest(request_ids, last_channels, versions, outcomes, reasons, event_numbers, delivery_ids)
      as finding (request_id, last_channel, version, outcome, reason, event_number, delivery_id)
    where request.id = finding.request_id and request.id = any (request_ids);

    if array_remove(of_batches, null) <> '{}' then
      insert into batch_change (batch_id, place, count)
      select batch_id, case outcome when 'complete' then 'answered' else 'failed' end, count(*)
      from unnest(of_batches, outcomes) as finding (batch_id, outcome) where batch_id is not null group by 1, 2;
    end if;
    if 1 < any (versions) then
      insert into batch_change (batch_id, count, place)
      select batch_row.batch_id, changed.count,
        case when changed.outcome = 'complete' then 'answered' when batch_row.closed then 'closed' else 'failed' end
      from unnest(request_ids, versions, outcomes) as finding (request_id, version, outcome)
      join batch_row on batch_row.request_id = finding.request_id and batch_row.request_id = any (request_ids)
      join result as earlier on earlier.request_id = finding.request_id and earlier.request_id = any (request_ids)
        and earlier.version = finding.version - 1 and earlier.outcome <> finding.outcome
      cross join lateral (values (earlier.outcome::text, -1), (finding.outcome, 1)) as changed (outcome, count);
    end if;

    insert into result (request_id, version, outcome, body, benefits, digest, applied_by, held_output_id, withdrawn)
    select * from unnest(request_ids, versions, outcomes, bodies, all_benefits, digests, key_ids, held_output_ids,
      are_withdrawn);

    if 1 < any (versions) then
      superseded_ids := array(select id from delivery where request_id = any (request_ids) and done_at is null);
      delete from delivery_queue where delivery_id = any (superseded_ids);
      update delivery set status = 'superseded', done_at = now()
      where id = any (superseded_ids) and done_at is null;
    end if;
    insert into delivery (id, request_id, version, account_id, destination, destination_host)
    select delivery_id, request_id, version, account_id, destination, destination_host
    from unnest(delivery_ids, request_ids, versions, account_ids, destinations, destination_hosts)
      as message (delivery_id, request_id, version, account_id, destination, destination_host)
    where delivery_id is not null;
    insert into delivery_queue (destination_host, account_id, of_batch, run_at, delivery_id, request_id, lease, leased_at,
      leased_until, claim_count)
    select destination_host, account_id, batch_id is not null, now() + make_interval(secs => delay_seconds), delivery_id,
      request_id, lease::uuid, taken.at, taken.at + make_interval(secs => lease_seconds), (lease is not null)::integer
    from unnest(delivery_ids, request_ids, account_ids, of_batches, destination_hosts, delivery_leases)
      as message (delivery_id, request_id, account_id, batch_id, destination_host, lease)
    cross join lateral (select case when lease is not null then now() end as at) as taken
    where delivery_id is not null;

    perform write_events(event_ids, account_ids, event_types, request_ids, event_numbers, event_bodies, event_macs,
      array_fill(null::text, array[cardinality(event_ids)]));
    insert into access_log (
      key_id, account_id, operation, request_id, request_account_ids, subject_id, actor_name, session_id, address,
      emergency, details
    )
    select key_id, caller_account_id, operation, request_id, array[account_id], held_output_id, actor_name, session_id,
      address, emergency, case when version > 1 then
        format('{"before":{"version":%s},"after":{"version":%s}}', version - 1, version) end
    from unnest(key_ids, caller_account_ids, operations, request_ids, account_ids, held_output_ids, actor_names,
        session_ids, addresses, emergencies, versions)
      as access (key_id, caller_account_id, operation, request_id, account_id, held_output_id, actor_name, session_id,
        address, emergency, version);

    if array_remove(delivery_leases, null) <> '{}' then
      select array_agg(account_id order by account_id, rank), array_agg(secret order by account_id, rank)
      into signing_account_ids, signing_secrets
      from (
        select distinct account_id from unnest(account_ids, delivery_leases) as message (account_id, lease)
        where lease is not null
      ) as sending
      join account on account.id = sending.account_id and account.id = any (account_ids)
      cross join lateral (
        select 0 as rank, account.webhook_secret as secret
        union all
        select 1, account.previous_webhook_secret where account.previous_webhook_secret_until > now()
        union all
        select 1 + row_number() over (order by valid_until desc), earlier.secret from earlier_webhook_secret as earlier
        where account.previous_webhook_secret_until > now() and earlier.account_id = account.id
          and earlier.valid_until > now()
      ) as signing;
    end if;
    if exists (
      select from unnest(delivery_ids, delivery_leases) as message (delivery_id, lease)
      where delivery_id is not null and lease is null
    ) then
      perform pg_notify('delivery_due', notifier);
    end if;
  end $$`,
  writeEventsFunction,
);
