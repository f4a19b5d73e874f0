import { writeEventsFunction } from '../events/write-event.sql.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * Makes a finding the next result of a request that the caller has locked with `lockRequest`, in one round trip.
 *
 * A request has at most one open attempt. `FindingAttempt` determines whether the finding ends it or writes a new one.
 * The entry in `access_log` names the finding's held output, if any, as its subject, and for a correction both versions.
 *
 * With its first result a request leaves the queue, and keeps the channel in which it was; its drafts end too. Unfinished
 * deliveries of earlier versions are superseded: their rows of the queue first, as a claim locks them.
 *
 * Its event is written with it, as the caller made it: `request.answered` or `request.failed` for the first result, then
 * `result.corrected`. A request of the known answers' account has none, and counts it.
 *
 * The counters of its batch change with it.
 *
 * A result of the known answers' account has no delivery: nothing is sent.
 *
 * A delivery that a worker of the calling process has a slot for is written under that worker's lease, without a
 * notification; the account's currently signing secrets are returned, encrypted, latest first.
 */
export const applyFindingFunction = databaseFunction(
  `
  create function apply_finding(
    the_request text, new_version integer, new_outcome text, new_reason bytea, new_body bytea, new_benefits bytea,
    new_digest bytea, slug text, held_output text, of_key text, of_account text, the_operation text, of_actor text,
    of_session text, from_address text, in_emergency boolean, has_attempt boolean, has_lease boolean,
    in_channel text, new_evidence bytea, new_delivery text, request_account text, new_destination bytea,
    new_destination_host bytea, delay_seconds float8, delivery_lease uuid, lease_seconds integer, notifier text,
    event_number integer, new_event text, event_type text, event_body text, event_mac bytea,
    out written_at timestamptz, out signing_secrets bytea[]
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off as $$
  #variable_conflict use_column
  declare
    has_ended boolean := false;
    last_channel queue_name;
    batch_of issued_id;
    attempt_outcome text := case new_outcome when 'complete' then 'succeeded' else 'failed' end;
    superseded_ids text[];
    is_sent boolean := request_account <> 'acct_00000000000000000000000002'; -- KNOWN_ANSWERS_ACCOUNT_ID
  begin
    written_at := now();
    if has_attempt then
      update verification_attempt set ended_at = now(), error_reason = slug, result_version = new_version,
        outcome = attempt_outcome, evidence = new_evidence
      where request_id = the_request and ended_at is null and (has_lease or key_id = of_key);
      has_ended := found;
    end if;
    if not has_ended then
      update verification_attempt set ended_at = now(), outcome = 'superseded'
      where request_id = the_request and ended_at is null;
    end if;
    if has_attempt and not has_ended then
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      select the_request, 1 + coalesce(
          (select max(number) from verification_attempt earlier where earlier.request_id = the_request), 0),
        account_id, payer_id, in_channel, of_key, now(), attempt_outcome, slug, new_version
      from request where id = the_request;
    end if;

    delete from work_queue where request_id = the_request returning channel, batch_id into last_channel, batch_of;
    update request set outcome = new_outcome, outcome_reason = new_reason, version = new_version,
      channel = coalesce(last_channel, channel), delivery = case when is_sent then 'pending' else 'none' end,
      delivery_reason = null, event_count = event_number
    where id = the_request;
    if batch_of is not null then
      insert into batch_change (batch_id, place, count)
      values (batch_of, case new_outcome when 'complete' then 'answered' else 'failed' end, 1);
    elsif new_version > 1 then
      insert into batch_change (batch_id, count, place)
      select batch_row.batch_id, changed.count,
        case when changed.outcome = 'complete' then 'answered' when batch_row.closed then 'closed' else 'failed' end
      from batch_row
      join result earlier on earlier.request_id = the_request and earlier.version = new_version - 1
      cross join lateral (values (earlier.outcome, -1), (new_outcome, 1)) as changed (outcome, count)
      where batch_row.request_id = the_request and earlier.outcome <> new_outcome;
    end if;
    insert into result (request_id, version, outcome, body, benefits, digest, applied_by, held_output_id)
    values (the_request, new_version, new_outcome, new_body, new_benefits, new_digest, of_key, held_output);
    delete from draft where request_id = the_request;

    if new_version > 1 then
      superseded_ids := array(select id from delivery where request_id = the_request and done_at is null);
      delete from delivery_queue where delivery_id = any (superseded_ids);
      update delivery set status = 'superseded', done_at = now()
      where id = any (superseded_ids) and done_at is null;
    end if;
    if is_sent then
      insert into delivery (id, request_id, version, account_id, destination, destination_host)
      values (new_delivery, the_request, new_version, request_account, new_destination, new_destination_host);
      insert into delivery_queue (destination_host, account_id, of_batch, run_at, delivery_id, request_id, lease, leased_at,
        leased_until, claim_count)
      values (new_destination_host, request_account, batch_of is not null, now() + make_interval(secs => delay_seconds), new_delivery,
        the_request, delivery_lease, case when delivery_lease is not null then now() end,
        case when delivery_lease is not null then now() + make_interval(secs => lease_seconds) end,
        (delivery_lease is not null)::int);
    end if;

    if new_event is not null then
      perform write_events(array[new_event], array[request_account], array[event_type], array[the_request],
        array[event_number], array[event_body], array[event_mac], array[null::text]);
    end if;

    insert into access_log (
      key_id, account_id, operation, request_id, request_account_ids, subject_id, actor_name, session_id, address,
      emergency, details
    ) values (
      of_key, of_account, the_operation, the_request, array[request_account], held_output, of_actor, of_session,
      from_address, in_emergency, case when new_version > 1 then
        format('{"before":{"version":%s},"after":{"version":%s}}', new_version - 1, new_version) end
    );

    if not is_sent then return; end if;
    if delivery_lease is null then
      perform pg_notify('delivery_due', notifier);
      return;
    end if;
    signing_secrets := array(
      select secret from account cross join lateral (
        select 0 as rank, account.webhook_secret as secret
        union all
        select 1, account.previous_webhook_secret where account.previous_webhook_secret_until > now()
        union all
        select 1 + row_number() over (order by valid_until desc), earlier.secret from earlier_webhook_secret earlier
        where account.previous_webhook_secret_until > now() and earlier.account_id = account.id
          and earlier.valid_until > now()
      ) as signing
      where account.id = request_account
      order by rank
    );
  end $$`,
  writeEventsFunction,
);
