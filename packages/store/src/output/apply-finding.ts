import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { issueId } from '../issued-id.ts';
import type { LockedRequest } from '../lock-request.ts';
import type { InsurancePlanData, RequestModel, ResponseModel } from '@insurance-verification/schema';
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
}

/** What `result.body` holds. */
export interface StoredFinding {
  readonly errorReason: string | null;
  readonly insuranceData: InsurancePlanData[];
}

/**
 * Makes a finding the request's next result and queues its delivery, in one statement of the caller's transaction.
 * Unfinished deliveries of earlier versions end as `superseded`, so a stale result cannot leave the queue later.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Application,
): Promise<number> {
  const { vault } = store;
  const { request, finding, caller } = application;
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
  await sql`
    with applied as (
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
      select pg_notify('delivery_due', '')
    )
    update request set outcome = ${finding.outcome}, outcome_reason = ${reason}, version = ${version},
      delivery = 'pending', delivery_reason = null
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
