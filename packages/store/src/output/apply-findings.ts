import {
  ErrorReason,
  type InsurancePlanData,
  type RequestInfo,
  type ResponseModel,
  type VerificationSource,
} from '@insurance-verification/schema';
import type { RecordedOperation } from '@insurance-verification/schema/contract';
import { CompiledQuery, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { actorColumns } from '../access/record-access.ts';
import { laneOf } from '../delivery/claim-due-deliveries.ts';
import type { DirectHandoff, LocalWorker, NewDelivery } from '../delivery/direct-handoff.ts';
import { LEASE_SECONDS } from '../delivery/leases.ts';
import { destinationHostOf, destinationPlace, messageBody } from '../delivery/message.ts';
import type { Encrypter, Vault } from '../encryption/vault.ts';
import { makeRequestEvent } from '../events/write-event.ts';
import type { StoredBenefits } from '../evidence/stored-benefits.ts';
import type { PlainX12Exchange } from '../evidence/x12-exchange.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { PREPARED } from '../functions/prepared-call.ts';
import type { LockedRequest } from '../intake/lock-request.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import type { QueueName } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';
import { applyFindingsFunction } from './apply-findings.sql.ts';
import { outcomeOf } from './decide-disposition.ts';

export interface Application {
  readonly request: OpenedLocked;
  readonly finding: ResultFinding;
  readonly caller: Caller | null;
  readonly operation: RecordedOperation;
  readonly heldOutputId?: string;
  /** The verifier's attempt that produced it; absent when there was none, as when a request is closed. */
  readonly attempt?: FindingAttempt;
  /** The exchange with the payer that it was read from, to be stored with it. */
  readonly exchange?: PlainX12Exchange | undefined;
  /** Begins the delivery at once if it has a slot for it. */
  readonly localWorker?: LocalWorker | undefined;
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
  /** The channel in which it waits or is worked on; null once it is finished. */
  readonly channel: QueueName | null;
  /** The batch that it came in; null for a single or a finished one. */
  readonly batchId: string | null;
  readonly payerId: string;
  /** Of its latest attempt; 0: it has none. */
  readonly attemptNumber: number;
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

/** A statement that makes findings results, and what to do with its answer. */
interface PreparedFindings {
  readonly statement: CompiledQuery<Applied>;
  readonly noteApplied: (rows: readonly Applied[]) => void;
}

/** The reason of what its clinic does not need any more, as the contract has it. */
const WITHDRAWN = 'withdrawn';

/**
 * Prepares the statement that makes findings the next results of different requests and queues their deliveries, unless
 * the request is of the known answers' account. Unfinished deliveries of earlier versions end as `superseded`, so a stale
 * result cannot leave the queue later. Leases on the requests become void, and their attempts record who found what.
 * @param handoff gives deliveries to workers of this process after the commit; without it all wait to be claimed.
 */
export async function prepareFindings(
  store: Store,
  applications: readonly Application[],
  handoff?: DirectHandoff,
): Promise<PreparedFindings> {
  const encrypt = await store.vault.encrypterFor(applications.map(({ request }) => request.accountId));
  const rows = applications.map((application) => toRow(store.vault, encrypt, application));
  const text = (elementOf: (row: Row) => string | null) => binaryArray('text', rows, elementOf);
  const bytes = (elementOf: (row: Row) => Buffer | null) => binaryArray('bytea', rows, elementOf);
  const flags = (elementOf: (row: Row) => boolean) => binaryArray('boolean', rows, elementOf);
  const numbers = (elementOf: (row: Row) => number) => binaryArray('integer', rows, elementOf);
  const parameters = [
    text(({ request }) => request.id),
    text(({ request }) => request.accountId),
    text(({ request }) => request.payerId),
    text(({ request }) => request.channel),
    text(({ request }) => request.batchId),
    numbers(({ request }) => request.attemptNumber),
    numbers(({ version }) => version),
    text(({ finding }) => finding.outcome),
    bytes(({ reason }) => reason),
    bytes(({ body }) => body),
    bytes(({ benefits }) => benefits),
    bytes(({ digest }) => digest),
    text(({ slug }) => slug),
    flags(({ finding }) => finding.errorReason === WITHDRAWN),
    text(({ heldOutputId = null }) => heldOutputId),
    text(({ caller }) => caller?.keyId ?? null),
    text(({ caller }) => caller?.accountId ?? null),
    text(({ operation }) => operation),
    text(({ actor }) => actor.actor_name),
    text(({ actor }) => actor.session_id),
    text(({ actor }) => actor.address),
    flags(({ actor }) => actor.emergency),
    flags(({ attempt }) => attempt !== undefined),
    flags(({ attempt }) => attempt?.isLeased === true),
    text(({ attempt }) => attempt?.channel ?? null),
    bytes(({ attempt }) => attempt?.evidence ?? null),
    numbers(({ request }) => request.eventNumber),
    text(({ delivery }) => delivery?.deliveryId ?? null),
    bytes(({ destination }) => destination),
    bytes(({ destinationHost }) => destinationHost),
    text(({ delivery, localWorker }) => (delivery && handoff?.reserve(delivery, localWorker)) ?? null),
    text(({ event }) => event?.id ?? null),
    text(({ event }) => event?.type ?? null),
    text(({ event }) => event?.body ?? null),
    bytes(({ event }) => event?.mac ?? null),
    store.firstDeliveryDelaySeconds,
    LEASE_SECONDS,
    store.notifier,
  ];
  return {
    statement: CompiledQuery.raw(callOf(parameters.length), parameters),
    noteApplied: ([applied]) => {
      if (!applied) throw new Error('A function with one answer gave none.');
      handoff?.noteWritten({ writtenAt: applied.written_at, encryptedSecrets: secretsOf(applied) });
    },
  };
}

/**
 * Makes one finding the next result of its request, as {@link prepareFindings} describes.
 * @returns the result's version, from 1.
 */
export async function applyFinding(
  trx: Transaction<Tables>,
  store: Store,
  application: Application,
  handoff?: DirectHandoff,
): Promise<number> {
  const { statement, noteApplied } = await prepareFindings(store, [application], handoff);
  noteApplied((await trx.executeQuery(statement)).rows);
  return application.request.version + 1;
}

interface Applied {
  readonly written_at: Date;
  readonly signing_account_ids: readonly string[] | null;
  readonly signing_secrets: readonly Buffer[] | null;
}

/** Returns the text of the call, the same for each call. */
const callOf = (parameterCount: number): string =>
  (call ??= `select * from ${applyFindingsFunction.name}(${Array.from({ length: parameterCount }, (_, index) => `$${index + 1}`).join(', ')}) ${PREPARED}`);

let call: string | undefined;

/** Returns the encrypted secrets by account, latest first. */
function secretsOf({ signing_account_ids: accountIds, signing_secrets: secrets }: Applied) {
  const byAccount = new Map<string, Buffer[]>();
  for (const [index, accountId] of (accountIds ?? []).entries()) {
    const secret = secrets?.[index];
    if (secret) byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), secret]);
  }
  return byAccount;
}

type Row = ReturnType<typeof toRow>;

/** Encrypts what a result and its delivery hold, and makes its event. */
function toRow(vault: Vault, encrypt: Encrypter, application: Application) {
  const { request, finding } = application;
  const { id, accountId, input } = request;
  const version = request.version + 1;
  const storedText = JSON.stringify({
    errorReason: finding.errorReason,
    insuranceData: finding.insuranceData,
  } satisfies StoredFinding);
  const deliveryId = issueId('msg');
  const destinationHost = destinationHostOf(vault, input.callback_url);
  const delivery: NewDelivery = {
    deliveryId,
    requestId: id,
    version,
    hasBenefits: finding.benefits !== undefined,
    accountId,
    lane: laneOf(accountId, request.batchId !== null),
    hostKey: destinationHost.toString('base64'),
    callbackUrl: input.callback_url,
    makeBody: () =>
      messageBody({
        requestId: id,
        receivedTimestamp: request.receivedTimestamp,
        outcome: finding.outcome,
        inputText: Buffer.from(JSON.stringify(input)),
        findingText: Buffer.from(storedText),
      }),
  };
  const answered = finding.outcome === 'complete' ? 'request.answered' : 'request.failed';
  return {
    ...application,
    version,
    actor: actorColumns(application.caller?.by),
    reason:
      finding.errorReason === null
        ? null
        : encrypt(accountId, `request.outcome_reason:${id}`, JSON.stringify(finding.errorReason)),
    body: encrypt(accountId, `result.body:${id}.${version}`, storedText),
    benefits: finding.benefits
      ? encrypt(accountId, `result.benefits:${id}.${version}`, JSON.stringify(finding.benefits))
      : null,
    digest: digestOf(vault, finding),
    slug: finding.errorReason === null ? null : (ErrorReason.safeParse(finding.errorReason).data ?? null),
    // A result of the known answers' account has no delivery: nothing is sent.
    delivery: accountId === KNOWN_ANSWERS_ACCOUNT_ID ? null : delivery,
    destination: encrypt(
      accountId,
      destinationPlace({ id: deliveryId, endpoint_id: null }),
      input.callback_url,
    ),
    destinationHost,
    event: makeRequestEvent(vault, {
      type: version > 1 ? 'result.corrected' : answered,
      requestId: id,
      accountId,
      number: request.eventNumber,
      data: { version },
      occurredAt: request.occurredAt,
    }),
  };
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
    channel: row.channel,
    batchId: row.batch_id,
    payerId: row.payer_id,
    attemptNumber: row.attempt_number ?? 0,
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
