import {
  ErrorReason,
  type InsurancePlanData,
  type RequestModel,
  type ResponseModel,
  type VerificationSource,
} from '@insurance-verification/schema';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { issueId } from '../issued-id.ts';
import type { LockedRequest } from '../lock-request.ts';
import type { Store } from '../open-store.ts';
import { openRequestInfo } from '../request-row.ts';
import type { Tables } from '../tables.ts';
import { applyFindingFunction } from './apply-finding.sql.ts';
import { digestOf, type Finding } from './finding.ts';

export interface Application {
  readonly request: ReadRequest;
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

const apply = sql.raw(applyFindingFunction.name);

/** What `result.body` holds. */
export interface StoredFinding {
  readonly errorReason: string | null;
  readonly insuranceData: InsurancePlanData[];
}

/** What a result is made from. All but the version stays as it is for ever. */
type ReadRequest = Pick<LockedRequest, 'id' | 'account_id' | 'input' | 'received_at' | 'version'>;

/**
 * Makes a finding the next result of a request that `lockRequest` holds in this transaction.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Application,
): Promise<number> {
  const version = await applyUnlessChanged(trx, store, application);
  if (version === null) throw new Error('A locked request was given a result by another.');
  return version;
}

/**
 * Makes a finding the request's next result and queues its delivery, in one statement. Unfinished deliveries of earlier
 * versions end as `superseded`, so a stale result cannot leave the queue later. Any lease on the request is void, and the
 * attempts at it say who found what.
 * @returns the result's version, from 1; null, and nothing was done, when the request was given a result since it was
 * read.
 */
export async function applyUnlessChanged(
  db: Kysely<Tables>,
  store: Store,
  application: Application,
): Promise<number | null> {
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
  const { rows } = await sql<{ is_applied: boolean }>`select ${apply}(
    request_id => ${id}, version => ${version}, outcome => ${finding.outcome}, outcome_reason => ${reason},
    body => ${body}, digest => ${digestOf(vault, finding)}, slug => ${slug.data ?? null},
    held_output_id => ${application.heldOutputId ?? null}, key_id => ${caller?.keyId ?? null},
    caller_account_id => ${caller?.accountId ?? null}, operation => ${application.operation},
    has_attempt => ${attempt !== undefined}, holds_lease => ${attempt?.holdsLease ?? false},
    channel => ${attempt?.channel ?? null}, evidence => ${attempt?.evidence ?? null},
    delivery_id => ${deliveryId}, destination => ${destination},
    destination_host => ${vault.index('delivery.destination_host', hostAndPort(input.callback_url))},
    webhook => ${sealedWebhook}, delay_seconds => ${store.firstDeliveryDelaySeconds},
    hint_origin => ${store.hintOrigin}) as is_applied`.execute(db);
  return rows[0]?.is_applied ? version : null;
}

/** The request block, the destination and the timestamps are ours; only the finding comes from the verifier. */
function webhookBody(request: ReadRequest, input: RequestModel['input'], finding: Finding): ResponseModel {
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
