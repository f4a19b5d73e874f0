import {
  ErrorReason,
  type InsurancePlanData,
  type RequestInfo,
  type ResponseModel,
  type VerificationSource,
} from '@insurance-verification/schema';
import type { RecordedOperation } from '@insurance-verification/schema/contract';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { actorColumns } from '../access/record-access.ts';
import { laneOf } from '../delivery/claim-due-deliveries.ts';
import type { DirectHandoff, NewDelivery } from '../delivery/direct-handoff.ts';
import { LEASE_SECONDS } from '../delivery/leases.ts';
import { destinationHostOf, destinationPlace, messageBody } from '../delivery/message.ts';
import type { Vault } from '../encryption/vault.ts';
import { makeRequestEvent } from '../events/write-event.ts';
import type { StoredBenefits } from '../evidence/stored-benefits.ts';
import { prepared } from '../functions/prepared-call.ts';
import type { LockedRequest } from '../intake/lock-request.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { applyFindingFunction } from './apply-finding.sql.ts';
import { outcomeOf } from './decide-disposition.ts';

export interface Application {
  readonly request: OpenedLocked;
  readonly finding: ResultFinding;
  readonly caller: Caller | null;
  readonly operation: RecordedOperation;
  readonly heldOutputId?: string;
  /** The verifier's attempt that produced it; absent when there was none, as when a request is closed. */
  readonly attempt?: FindingAttempt;
}

/** The parts of a request that a result is made from. Only the version ever changes. */
export interface OpenedRequest {
  readonly id: string;
  readonly accountId: string;
  readonly input: RequestInfo;
  readonly receivedTimestamp: string;
  /** The current result's version; 0 before the first. */
  readonly version: number;
}

/** A request that the transaction locked with `lockRequest`. One lock is for one result or one held output. */
export interface OpenedLocked extends OpenedRequest {
  /** It came in a batch, and has no result. */
  readonly isOfBatch: boolean;
  /** The number of its next event. */
  readonly eventNumber: number;
  /** When its next event occurs. */
  readonly occurredAt: Date;
}

/** The content of `result.body`. `messageBody` relies on its two fields and on their order. */
export interface StoredFinding {
  readonly errorReason: string | null;
  readonly insuranceData: InsurancePlanData[];
}

/**
 * Makes a finding the next result of a request and queues its delivery, unless the request is of the known answers'
 * account. Unfinished deliveries of earlier versions end as
 * `superseded`, so a stale result cannot leave the queue later. Leases on the request become void, and its attempts
 * record who found what.
 * @param handoff gives the delivery to this process's worker after the commit; without it the delivery waits to be claimed.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Application,
  handoff?: DirectHandoff,
): Promise<number> {
  const { vault } = store;
  const { request, finding, caller, attempt, operation } = application;
  const { id, accountId, input } = request;
  const version = request.version + 1;
  const deliveryId = issueId('msg');
  const storedText = JSON.stringify({
    errorReason: finding.errorReason,
    insuranceData: finding.insuranceData,
  } satisfies StoredFinding);
  const encrypt = await vault.encrypterFor([accountId]);
  const destinationHost = destinationHostOf(vault, input.callback_url);
  const delivery: NewDelivery = {
    deliveryId,
    requestId: id,
    version,
    hasBenefits: finding.benefits !== undefined,
    accountId,
    lane: laneOf(accountId, request.isOfBatch),
    hostKey: destinationHost.toString('base64'),
    callbackUrl: input.callback_url,
    body: messageBody({
      requestId: id,
      receivedTimestamp: request.receivedTimestamp,
      outcome: finding.outcome,
      inputText: Buffer.from(JSON.stringify(input)),
      findingText: Buffer.from(storedText),
    }),
  };
  const reason =
    finding.errorReason === null
      ? null
      : encrypt(accountId, `request.outcome_reason:${id}`, JSON.stringify(finding.errorReason));
  const body = encrypt(accountId, `result.body:${id}.${version}`, storedText);
  const benefits = finding.benefits
    ? encrypt(accountId, `result.benefits:${id}.${version}`, JSON.stringify(finding.benefits))
    : null;
  const destination = encrypt(
    accountId,
    destinationPlace({ id: deliveryId, endpoint_id: null }),
    input.callback_url,
  );
  const { eventNumber, occurredAt } = request;
  const answered = finding.outcome === 'complete' ? 'request.answered' : 'request.failed';
  const event = makeRequestEvent(vault, {
    type: version > 1 ? 'result.corrected' : answered,
    requestId: id,
    accountId,
    number: eventNumber,
    data: { version },
    occurredAt,
  });
  const actor = actorColumns(caller?.by);
  const sending = accountId === KNOWN_ANSWERS_ACCOUNT_ID ? undefined : handoff;
  const { rows } = await sql<{ written_at: Date; signing_secrets: readonly Buffer[] | null }>`
    select * from ${sql.raw(applyFindingFunction.name)}(
      the_request => ${id}, new_version => ${version}, new_outcome => ${finding.outcome}, new_reason => ${reason},
      new_body => ${body}, new_benefits => ${benefits}, new_digest => ${digestOf(vault, finding)},
      slug => ${ErrorReason.safeParse(finding.errorReason).data ?? null},
      held_output => ${application.heldOutputId ?? null}, of_key => ${caller?.keyId ?? null},
      of_account => ${caller?.accountId ?? null}, the_operation => ${operation}, of_actor => ${actor.actor_name},
      of_session => ${actor.session_id}, from_address => ${actor.address}, in_emergency => ${actor.emergency},
      has_attempt => ${attempt !== undefined}, has_lease => ${attempt?.isLeased === true},
      in_channel => ${attempt?.channel ?? null}, new_evidence => ${attempt?.evidence ?? null},
      new_delivery => ${deliveryId}, request_account => ${accountId}, new_destination => ${destination},
      new_destination_host => ${destinationHost}, delay_seconds => ${store.firstDeliveryDelaySeconds},
      delivery_lease => ${sending?.reserve(delivery) ?? null}, lease_seconds => ${LEASE_SECONDS},
      notifier => ${store.notifier}, event_number => ${eventNumber}, new_event => ${event?.id ?? null},
      event_type => ${event?.type ?? null}, event_body => ${event?.body ?? null}, event_mac => ${event?.mac ?? null}
    ) ${prepared}`.execute(trx);
  const [written] = rows;
  if (!written) throw new Error('A function with one answer gave none.');
  sending?.noteWritten({ writtenAt: written.written_at, encryptedSecrets: written.signing_secrets ?? [] });
  return version;
}

/** The columns of a request that a result is made from. */
export type FoundRequestRow = Pick<LockedRequest, 'id' | 'account_id' | 'input' | 'received_at' | 'version'>;

/** Decrypts the parts of a request's row that a result is made from. */
export async function openFoundRequest(vault: Vault, row: FoundRequestRow): Promise<OpenedRequest> {
  return {
    id: row.id,
    accountId: row.account_id,
    input: await openRequestInfo(vault, row),
    receivedTimestamp: row.received_at.toISOString(),
    version: row.version,
  };
}

/** As {@link openFoundRequest}, of a request that the transaction locked. */
export async function openLocked(vault: Vault, row: LockedRequest): Promise<OpenedLocked> {
  return {
    ...(await openFoundRequest(vault, row)),
    isOfBatch: row.batch_id !== null,
    eventNumber: row.event_count + 1,
    occurredAt: row.began_at,
  };
}

/** The outcome of a verification: the part of an output that becomes a result. */
export interface ResultFinding {
  readonly outcome: 'complete' | 'error_verifying';
  /** Why the verification failed; null with a complete outcome. */
  readonly errorReason: string | null;
  readonly insuranceData: ResponseModel['insurance_data'];
  /** The benefits that came with it, if any. */
  readonly benefits?: StoredBenefits | undefined;
}

/** The finding of a finished output; null for one that only reports progress. */
export function findingOf({ request, insurance_data: insuranceData }: ResponseModel): ResultFinding | null {
  if (request.state === 'pending') return null;
  const outcome = outcomeOf(request.state);
  return {
    outcome,
    errorReason: outcome === 'error_verifying' ? (request.error_reason ?? null) : null,
    insuranceData,
  };
}

/**
 * Equal for equal findings, whatever their benefits: the contract's output has none. Parsed models list their fields in
 * schema order, so their JSON is canonical; a null optional field equals an absent one.
 */
export function digestOf(vault: Vault, { outcome, errorReason, insuranceData }: ResultFinding): Buffer {
  return vault.index(
    'result.digest',
    JSON.stringify({ outcome, errorReason, insuranceData }, (_, value: unknown) => value ?? undefined),
  );
}

/** The attempt that an output reports. Its channel is that of the first entry. */
export function attemptOf({ insuranceData }: ResultFinding): FindingAttempt {
  return { isLeased: false, channel: insuranceData[0]?.verification_source ?? null, evidence: null };
}

/**
 * The attempt to credit. A verifier with the lease, by token or by key, ends its own attempt with this finding; for any
 * other sender a new attempt is written. Another verifier's open attempt ends as superseded.
 */
interface FindingAttempt {
  /** The finding came under the lease of the open attempt. */
  readonly isLeased: boolean;
  /** Null when the output names no channel. */
  readonly channel: VerificationSource | null;
  /** Encrypted. */
  readonly evidence: Buffer | null;
}
