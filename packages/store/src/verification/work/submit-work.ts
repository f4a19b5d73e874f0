import { createHash } from 'node:crypto';
import type { InsurancePlanData, RequestInfo, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import type { LocalWorker } from '../../delivery/direct-handoff.ts';
import type { Vault } from '../../encryption/vault.ts';
import { type Evidence, encryptEvidence, withQuotes } from '../../evidence/attempt-evidence.ts';
import {
  type FoundBenefits,
  foundPart,
  storedBenefits,
  type StoredBenefits,
} from '../../evidence/stored-benefits.ts';
import type { PlainX12Exchange } from '../../evidence/x12-exchange.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import {
  type Application,
  digestOf,
  type OpenedLocked,
  type OpenedRequest,
  openLocked,
  type ResultFinding,
} from '../../output/apply-findings.ts';
import { namesRequest, patientFaults } from '../../output/decide-disposition.ts';
import { type Decision, decideTogether } from '../../output/decide-together.ts';
import { HELD_CAPACITY, heldDigestOf, holdOutput, type AtCapacity } from '../../output/held/hold.ts';
import { isAgentChannel, type QueueName, type Route } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { endAttempt } from '../overdue/requeue.ts';
import { leaseIn, type LeasedRequest, type WorkLease } from './work-lease.ts';

export interface WorkSubmission extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  /** Absent when the submission came without. */
  readonly benefits?: FoundBenefits | undefined;
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed?: boolean | undefined;
  readonly evidence: Evidence;
  /** The exchange with the payer that it was read from; stored where the answer is `applied`, in the same commit. */
  readonly exchange?: PlainX12Exchange | undefined;
  /** Some of them hold the results of agents for an operator. */
  readonly routes: readonly Route[];
}

export type SubmittedWork =
  /** `applied_before`: the same submission under the same lease made this version. */
  | { readonly kind: 'applied' | 'applied_before'; readonly version: number }
  | HeldWork
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' }
  /** Nothing changed. */
  | { readonly kind: 'mismatch'; readonly mismatches: readonly Mismatch[] };

const OPERATION = 'work.submit' as const;

/**
 * Makes a verifier's finding the result of its request, under the request's lock and while the lease holds. Mismatches are
 * refused rather than held: the verifier is present, the lease still holds, and the data can be corrected.
 * @param localWorker begins the delivery at once if it has a slot for it.
 */
export function submitWork(
  store: Store,
  submission: WorkSubmission,
  localWorker?: LocalWorker,
): Promise<SubmittedWork> {
  const { caller: reach, requestId, insuranceData, benefits, exchange } = submission;
  return decideTogether<SubmittedWork>(store, {
    requestId,
    reach,
    length: JSON.stringify([insuranceData, benefits]).length + (exchange?.answer?.length ?? 0),
    decide: (request) => decide(store, { ...submission, localWorker }, request),
  });
}

async function decide(
  store: Store,
  submission: WorkSubmission & Pick<Application, 'localWorker'>,
  request: LockedRequest | null,
): Promise<Decision<SubmittedWork>> {
  const { caller, routes, insuranceData, isPatientConfirmed = false, benefits, evidence } = submission;
  const lease = leaseIn(request, submission);
  if (lease.kind === 'lease_lost')
    return {
      kind: 'single',
      run: async (trx) => (await submittedBefore(trx, store, submission)) ?? { kind: 'lease_lost' },
    };
  if (lease.kind !== 'held') return { kind: 'answer', answer: { kind: lease.kind } };
  const { request: locked } = lease;
  const { id, payer_id: payerId, channel, attempt_number: attemptNumber } = locked;
  const opened = await openLocked(store.vault, locked);
  const mismatches = findMismatches(
    { insuranceData, isPatientConfirmed },
    { id, input: opened.input, channel },
  );
  if (mismatches.length > 0) return { kind: 'answer', answer: { kind: 'mismatch', mismatches } };
  if (isHeldThere(routes, payerId, channel))
    return { kind: 'single', run: (trx) => holdAgentResult(trx, store, submission, { locked, opened }) };
  return {
    kind: 'apply',
    application: {
      request: opened,
      finding: {
        ...resultOf(submission),
        benefits: benefits && storedBenefits(benefits, attemptNumber, evidence.reference),
      },
      caller,
      operation: OPERATION,
      localWorker: submission.localWorker,
      exchange: submission.exchange,
      attempt: {
        isLeased: true,
        channel: channel === 'entry' ? null : channel,
        evidence: await encryptEvidence(store.vault, locked, withQuotes(evidence, benefits, channel)),
      },
    },
    answer: { kind: 'applied', version: opened.version + 1 },
  };
}

/**
 * Repeats the answer of the same submission under the same lease, which the verifier may not have received; null for
 * none.
 */
async function submittedBefore(
  trx: Transaction<Tables>,
  store: Store,
  submission: WorkSubmission,
): Promise<SubmittedWork | null> {
  const { caller, requestId, leaseToken } = submission;
  const made = await trx
    .selectFrom('verification_attempt as attempt')
    .innerJoin('result', (join) =>
      join
        .onRef('result.request_id', '=', 'attempt.request_id')
        .onRef('result.version', '=', 'attempt.result_version'),
    )
    .innerJoin('request', 'request.id', 'attempt.request_id')
    .select(['request.account_id', 'result.version', 'result.digest', 'result.benefits'])
    .where('attempt.request_id', '=', requestId)
    .where('attempt.lease_hash', '=', createHash('sha256').update(leaseToken).digest())
    .executeTakeFirst();
  if (!made) {
    const locked = await lockRequest(trx, requestId, caller);
    if (!locked || locked.erased_at) return null;
    return heldBefore(trx, store, submission, await openLocked(store.vault, locked));
  }
  if (!made.digest.equals(digestOf(store.vault, resultOf(submission)))) return null;
  const request = { id: requestId, accountId: made.account_id, version: made.version };
  if (
    !(await sameBenefits(store.vault, { request, encrypted: made.benefits, submitted: submission.benefits }))
  )
    return null;
  await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
  return { kind: 'applied_before', version: made.version };
}

interface ComparedBenefits {
  readonly request: Pick<OpenedRequest, 'id' | 'accountId' | 'version'>;
  /** Of the current result. */
  readonly encrypted: Buffer | null;
  readonly submitted: FoundBenefits | undefined;
}

/** Whether the benefits of the current result are the submitted ones. */
export async function sameBenefits(
  vault: Vault,
  { request: { id, accountId, version }, encrypted, submitted }: ComparedBenefits,
): Promise<boolean> {
  const place = `result.benefits:${id}.${version}`;
  const stored = encrypted && (await vault.decryptJson<StoredBenefits>({ accountId }, place, encrypted));
  return JSON.stringify(stored && foundPart(stored)) === JSON.stringify(submitted ?? null);
}

const resultOf = ({ insuranceData }: Pick<WorkSubmission, 'insuranceData'>): ResultFinding => ({
  outcome: 'complete',
  errorReason: null,
  insuranceData,
});

/** A wrong field of an entry. */
export type Mismatch =
  /** It is not of the leased channel. */
  | { readonly kind: 'channel'; readonly index: number }
  /** It names another request, or another patient. */
  | { readonly kind: 'another_patient'; readonly index: number }
  /** It is not certain whether it is the patient; `sentence` says why. The verifier can confirm it. */
  | { readonly kind: 'patient_unconfirmed'; readonly index: number; readonly sentence: string };

export interface SubmittedEntries {
  readonly insuranceData: readonly InsurancePlanData[];
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed: boolean;
}

/** Everything that prevents entries from being a leased request's result, so that one correction fixes it all. */
export function findMismatches(
  { insuranceData, isPatientConfirmed }: SubmittedEntries,
  request: { readonly id: string; readonly input: RequestInfo; readonly channel: QueueName },
): Mismatch[] {
  const mismatches: Mismatch[] = [];
  for (const [index, entry] of insuranceData.entries()) {
    if (entry.verification_source !== request.channel) mismatches.push({ kind: 'channel', index });
    if (!namesRequest(entry, request.id)) mismatches.push({ kind: 'another_patient', index });
  }
  const others = new Set(
    mismatches.flatMap(({ kind, index }) => (kind === 'another_patient' ? [index] : [])),
  );
  for (const { index, kind, sentence } of patientFaults(insuranceData, request.input.patient_info))
    if (others.has(index)) continue;
    else if (kind === 'another') mismatches.push({ kind: 'another_patient', index });
    else if (!isPatientConfirmed) mismatches.push({ kind: 'patient_unconfirmed', index, sentence });
  return mismatches.toSorted((one, other) => one.index - other.index);
}

const REASON = 'agent_result';

type HeldWork = { readonly kind: 'held'; readonly heldId: string } | AtCapacity;

interface AgentFinding extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  readonly benefits?: FoundBenefits | undefined;
  readonly evidence: Evidence;
}

/** Whether results of a payer's channel are held for an operator. */
export function isHeldThere(routes: readonly Route[], payerId: string, channel: QueueName): boolean {
  return (
    isAgentChannel(channel) && routes.some((route) => route.payerId === payerId && route.holdsAgentResults)
  );
}

/**
 * Holds an agent's result, ends its attempt, and keeps the request from other verifiers for as long as it may stay in
 * the channel. Applied by an operator, it becomes the result. If it is dismissed, or the channel's time is over, the
 * request passes to the next channel as after any failure.
 */
async function holdAgentResult(
  trx: Transaction<Tables>,
  store: Store,
  { caller, requestId, insuranceData, benefits, evidence }: AgentFinding,
  { locked, opened }: { readonly locked: LeasedRequest; readonly opened: OpenedLocked },
): Promise<HeldWork> {
  const held = await holdOutput(trx, store, {
    output: outputOf(opened, resultOf({ insuranceData })),
    benefits: benefits && storedBenefits(benefits, locked.attempt_number, evidence.reference),
    reason: REASON,
    request: opened,
    caller,
    capacity: HELD_CAPACITY,
  });
  if (held.kind === 'erased') throw new Error('An agent names only its own request.');
  if (held.kind === 'at_capacity') return held;
  await endAttempt(trx, requestId, {
    outcome: 'held',
    evidence: await encryptEvidence(store.vault, locked, withQuotes(evidence, benefits, locked.channel)),
  });
  await sql`
    update work_queue set lease = null, leased_at = null, leased_until = null, waits_since = channel_until,
      postponed = true
    where request_id = ${requestId}`.execute(trx);
  await recordAccess(trx, {
    caller,
    operation: 'work.submit',
    requestIds: [requestId],
    subjectId: held.heldId,
  });
  return held;
}

/**
 * The held output of the same finding under the same lease, whose answer the verifier may not have received; null for
 * none.
 */
async function heldBefore(
  trx: Transaction<Tables>,
  { vault }: Store,
  { caller, requestId, leaseToken, insuranceData, benefits }: AgentFinding,
  opened: OpenedRequest,
): Promise<HeldWork | null> {
  const output = outputOf(opened, resultOf({ insuranceData }));
  const digest = heldDigestOf(vault, { output, benefits, reason: REASON, caller });
  const held = await trx
    .selectFrom('held_output')
    .innerJoin('verification_attempt as attempt', 'attempt.request_id', 'held_output.request_id')
    .select('held_output.id')
    .where('held_output.digest', '=', digest)
    .where('held_output.status', '=', 'held')
    .where('attempt.request_id', '=', requestId)
    .where('attempt.outcome', '=', 'held')
    .where('attempt.lease_hash', '=', createHash('sha256').update(leaseToken).digest())
    .executeTakeFirst();
  return held ? { kind: 'held', heldId: held.id } : null;
}

/** As the verifier would have posted it to `/verification-output`. */
export const outputOf = (
  { id, input, receivedTimestamp }: OpenedRequest,
  { outcome, errorReason, insuranceData }: ResultFinding,
): ResponseModel => ({
  request: {
    request_id: id,
    input,
    received_timestamp: receivedTimestamp,
    state: outcome,
    error_reason: errorReason,
  },
  insurance_data: insuranceData,
});
