import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { issueId } from '../issued-id.ts';
import type { LockedRequest } from '../lock-request.ts';
import {
  ErrorReason,
  type InsurancePlanData,
  type RequestModel,
  type ResponseModel,
  type VerificationSource,
} from '@insurance-verification/schema';
import { openRequestInfo } from '../request-row.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { digestOf, type Finding } from './finding.ts';

export interface Application {
  /** Held by `lockRequest` in this transaction. */
  readonly request: LockedRequest;
  readonly finding: Finding;
  readonly caller: Caller | null;
  readonly operation: string;
  readonly heldOutputId?: string;
  /** The verifier's attempt that found it; absent when none did, as when a request is closed. */
  readonly attempt?: FindingAttempt;
}

/**
 * Whose attempt the evidence names. A verifier who holds the lease, or whose key does, ends its own attempt with this
 * finding; for any other an attempt is written. An attempt of someone else that is under way ends as superseded.
 */
export interface FindingAttempt {
  readonly holdsLease: boolean;
  /** Null when the output names none. */
  readonly channel: VerificationSource | null;
  /** Sealed. */
  readonly evidence: Buffer | null;
}

/** What `result.body` holds. */
export interface StoredFinding {
  readonly errorReason: string | null;
  readonly insuranceData: InsurancePlanData[];
}

/**
 * Makes a finding the request's next result and queues its delivery, in one statement of the caller's transaction.
 * Unfinished deliveries of earlier versions end as `superseded`, so a stale result cannot leave the queue later. Any
 * lease on the request is void, and the attempts at it say who found what.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Application,
): Promise<number> {
  const { vault } = store;
  const { request, finding, caller, attempt } = application;
  const { id, account_id: accountId } = request;
  const owner = { accountId };
  const version = request.version + 1;
  const deliveryId = issueId('msg');
  const input = await openRequestInfo(vault, request);
  const stored: StoredFinding = { errorReason: finding.errorReason, insuranceData: finding.insuranceData };
  const body = await vault.seal(owner, `result.body:${id}.${version}`, JSON.stringify(stored));
  const reason =
    finding.errorReason === null
      ? null
      : await vault.seal(owner, `request.outcome_reason:${id}`, JSON.stringify(finding.errorReason));
  const webhook = JSON.stringify(webhookBody(request, input, finding));
  const sealedWebhook = await vault.seal(owner, `delivery.body:${deliveryId}`, webhook);
  const destination = await vault.seal(owner, `delivery.destination:${deliveryId}`, input.callback_url);
  const slug = ErrorReason.safeParse(finding.errorReason);
  await sql`
    with own_attempt as (
      update verification_attempt set ended_at = now(), error_reason = ${slug.data ?? null},
        outcome = ${finding.outcome === 'complete' ? 'succeeded' : 'failed'}, result_version = ${version},
        evidence = ${attempt?.evidence ?? null}
      where request_id = ${id} and ended_at is null and ${attempt !== undefined}
        and (${attempt?.holdsLease ?? false} or key_id = ${caller?.keyId ?? null})
      returning 1
    ), other_attempt as (
      update verification_attempt set ended_at = now(), outcome = 'superseded'
      where request_id = ${id} and ended_at is null
        and not (${attempt !== undefined} and (${attempt?.holdsLease ?? false} or key_id is not distinct from ${caller?.keyId ?? null}))
    ), new_attempt as (
      insert into verification_attempt
        (request_id, number, account_id, payer_id, channel, key_id, ended_at, outcome, error_reason, result_version)
      select ${id}, ${request.verification_attempt_count + 1}, ${accountId}, ${request.payer_id},
        ${attempt?.channel ?? null}, ${caller?.keyId ?? null}, now(),
        ${finding.outcome === 'complete' ? 'succeeded' : 'failed'}, ${slug.data ?? null}, ${version}
      where ${attempt !== undefined} and not exists (select from own_attempt)
      returning 1
    ), applied as (
      insert into result (request_id, version, outcome, body, digest, applied_by, held_output_id)
      values (${id}, ${version}, ${finding.outcome}, ${body}, ${digestOf(vault, finding)},
        ${caller?.keyId ?? null}, ${application.heldOutputId ?? null})
    ), superseded as (
      update delivery set status = 'superseded', done_at = now(), lease_token = null, lease_until = null
      where request_id = ${id} and done_at is null
    ), queued as (
      insert into delivery (id, request_id, version, account_id, destination, destination_host, body, run_at)
      values (${deliveryId}, ${id}, ${version}, ${accountId}, ${destination},
        ${vault.index('delivery.destination_host', hostAndPort(input.callback_url))}, ${sealedWebhook},
        now() + make_interval(secs => ${store.firstDeliveryDelaySeconds}))
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id)
      values (${caller?.keyId ?? null}, ${caller?.accountId ?? null}, ${application.operation}, ${id})
    ), hinted as (
      select pg_notify('delivery_due', ${store.hintOrigin})
    )
    update request set outcome = ${finding.outcome}, outcome_reason = ${reason}, version = ${version},
      delivery = 'pending', delivery_reason = null, lease_token = null, lease_until = null, channel_until = null,
      verification_attempt_count = verification_attempt_count + (select count(*) from new_attempt)
    from hinted where id = ${id}`.execute(trx);
  return version;
}

/** The request block, the destination and the timestamps are ours; only the finding comes from the verifier. */
function webhookBody(request: LockedRequest, input: RequestModel['input'], finding: Finding): ResponseModel {
  return {
    request: {
      request_id: request.id,
      input,
      received_timestamp: request.received_at.toISOString(),
      state: finding.outcome,
      error_reason: finding.errorReason,
    },
    insurance_data: finding.insuranceData,
  };
}

/** With the port that the scheme implies: a dead http receiver is not the https one of the same name. */
function hostAndPort(callbackUrl: string): string {
  const { hostname, port, protocol } = new URL(callbackUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
