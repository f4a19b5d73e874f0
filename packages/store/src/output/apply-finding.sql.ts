import { BY_INDEX_ALONE } from '../functions/by-index-alone.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * False, and nothing is done, when the request has that version by now. Which attempt a finding ends, and when it writes
 * one, `FindingAttempt` says. The line in `access_log` names a held output as its subject, where the finding is of one.
 */
export const applyFindingFunction = databaseFunction(
  'apply_finding',
  (name) => `create function ${name}(
    request_id text, version integer, outcome text, outcome_reason bytea, body bytea, digest bytea, slug text,
    held_output_id text, key_id text, caller_account_id text, operation text,
    has_attempt boolean, holds_lease boolean, channel text, evidence bytea,
    delivery_id text, destination bytea, destination_host bytea, webhook bytea, delay_seconds float8, hint_origin text
  ) returns boolean language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    attempt_outcome text := case outcome when 'complete' then 'succeeded' else 'failed' end;
    is_new_attempt boolean;
    changed request;
  begin
    perform from request where id = ${name}.request_id and version = ${name}.version - 1
    for no key update;
    if not found then return false; end if;

    update verification_attempt attempt set ended_at = now(), outcome = attempt_outcome, error_reason = slug,
      result_version = ${name}.version, evidence = ${name}.evidence
    where attempt.request_id = ${name}.request_id and ended_at is null
      and has_attempt and (holds_lease or attempt.key_id = ${name}.key_id);
    is_new_attempt := has_attempt and not found;
    update verification_attempt attempt set ended_at = now(), outcome = 'superseded'
    where attempt.request_id = ${name}.request_id and ended_at is null;

    update request set outcome = ${name}.outcome, outcome_reason = ${name}.outcome_reason,
      version = ${name}.version, delivery = 'pending', delivery_reason = null, lease_token = null,
      lease_until = null, channel_until = null,
      verification_attempt_count = verification_attempt_count + is_new_attempt::int
    where id = ${name}.request_id
    returning * into strict changed;
    if is_new_attempt then
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      values (request_id, changed.verification_attempt_count, changed.account_id, changed.payer_id, channel, key_id,
        now(), attempt_outcome, slug, version);
    end if;

    insert into result (request_id, version, outcome, body, digest, applied_by, held_output_id)
    values (request_id, version, outcome, body, digest, key_id, held_output_id);
    update delivery set status = 'superseded', done_at = now(), lease_token = null, lease_until = null
    where delivery.request_id = ${name}.request_id and done_at is null;
    insert into delivery (id, request_id, version, account_id, destination, destination_host, body, run_at)
    values (delivery_id, request_id, version, changed.account_id, destination, destination_host, webhook,
      now() + make_interval(secs => delay_seconds));
    insert into access_log (key_id, account_id, operation, request_id, subject_id)
    values (key_id, caller_account_id, operation, request_id, held_output_id);
    perform pg_notify('delivery_due', hint_origin);
    return true;
  end $$`,
);
