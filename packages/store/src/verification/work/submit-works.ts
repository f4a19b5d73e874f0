import { createHash } from 'node:crypto';
import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import type { LocalWorker } from '../../delivery/leases/local-worker.ts';
import { type Evidence, sealEvidence, withQuotes } from '../../evidence/attempt-evidence.ts';
import {
  type FoundBenefits,
  foundPart,
  type StoredBenefits,
  storedBenefits,
} from '../../evidence/stored-benefits.ts';
import { keepX12Exchanges, type PlainX12Exchange } from '../../evidence/x12-exchange.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import {
  type Application,
  applyToLocked,
  type OpenedRequest,
  openFoundRequest,
} from '../../output/finding/apply-findings.ts';
import { applyTogether, eachOrNull } from '../../output/finding/apply-together.ts';
import { digestOf, type ResultFinding } from '../../output/finding/finding.ts';
import { type NamedRequestRow, readNamedRequests } from '../../output/read-named-requests.ts';
import type { Route } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';
import { findMisfits, type Misfit } from './find-misfits.ts';
import { type HeldWork, heldBefore, holdAgentResult, isHeldThere } from './hold-agent-result.ts';
import { type LeasedRequest, lockLease, type WorkLease, worksIn } from './lock-lease.ts';
import type { ClaimedWork } from './open-claimed.ts';

export interface WorkSubmission extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  /** What was said beside them; absent when it came without. */
  readonly benefits?: FoundBenefits | undefined;
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed?: boolean | undefined;
  readonly evidence: Evidence;
  /** Some have a person look at what an agent found. */
  readonly routes: readonly Route[];
  /** The leased request, if this process claimed it, which saves reading it again. */
  readonly claimed?: ClaimedWork;
  /** Evidence that is stored whatever the outcome. */
  readonly exchange?: PlainX12Exchange | undefined;
}

export type SubmittedWork =
  /** `applied_before`: the same was submitted under the same lease, and made this version. */
  | { readonly kind: 'applied' | 'applied_before'; readonly version: number }
  | HeldWork
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' }
  /** Nothing changed. */
  | { readonly kind: 'misfit'; readonly misfits: readonly Misfit[] };

const OPERATION = 'work.submit' as const;

/**
 * Makes several verifiers' findings the results of their requests: one statement for all whose lease holds and whose data
 * fits, plus one that reads the requests that were not just claimed in this process. The others are decided alone, under
 * the lock of their request. Misfits are refused rather than held: the verifier is present, the lease still holds, and the
 * data can be corrected.
 * @returns when the common ones are written, an answer for each; the others' may still be to come.
 */
export async function submitWorks(
  store: Store,
  submissions: readonly WorkSubmission[],
  localWorker?: LocalWorker,
): Promise<readonly Promise<SubmittedWork>[]> {
  const applied = await submitTogether(store, submissions, localWorker);
  return submissions.map(async (submission, index): Promise<SubmittedWork> => {
    if (applied[index]) return { kind: 'applied', version: 1 };
    const submitted = await submitAlone(store, submission);
    // A transaction hands no delivery over: the worker is woken to claim it.
    if (submitted.kind === 'applied') localWorker?.wake();
    return submitted;
  });
}

/** @returns whether each was applied. If not, nothing was done about it, but its exchange may be stored. */
function submitTogether(
  store: Store,
  submissions: readonly WorkSubmission[],
  localWorker?: LocalWorker,
): Promise<boolean[]> {
  return store.db.connection().execute(async (db) => {
    const rows = await readNamedRequests(
      db,
      submissions.map(({ caller: reach, requestId, claimed }) =>
        claimed === undefined && isIssuedId('req', requestId) ? { requestId, reach } : null,
      ),
    );
    return applyTogether(
      db,
      store,
      await eachOrNull(submissions, (submission, index) => decide(store, submission, rows[index])),
      { exchanges: submissions.flatMap(({ exchange }) => exchange ?? []), localWorker },
    );
  });
}

async function decide(
  store: Store,
  submission: WorkSubmission,
  row: NamedRequestRow | undefined,
): Promise<Application | null> {
  const { claimed, leaseToken } = submission;
  const leased = claimed ? leasedOf(claimed) : row && (await leasedIn(store, row));
  if (!leased || leased.lease !== leaseToken || !worksIn(submission.caller, leased.channel)) return null;
  const { request } = leased;
  if (misfitsOf(submission, leased).length > 0) return null;
  if (isHeldThere(submission.routes, leased.payerId, leased.channel)) return null;
  return { ...(await workFinding(store, submission, leased)), request };
}

/** What a submission is compared with and written for. */
interface Leased {
  readonly request: OpenedRequest;
  readonly payerId: string;
  readonly channel: LeasedRequest['channel'];
  readonly lease: string | null;
  readonly attemptNumber: number;
}

/** A leased request has no result yet. */
function leasedOf(claimed: ClaimedWork): Leased {
  const { requestId: id, accountId, payerId, request, channel, leaseToken, attemptNumber } = claimed;
  const found = {
    id,
    accountId,
    input: request.input,
    receivedTimestamp: request.received_timestamp,
    version: 0,
  };
  return { request: found, payerId, channel, lease: leaseToken, attemptNumber };
}

/** Null where nobody works on it. */
async function leasedIn({ vault }: Store, row: NamedRequestRow): Promise<Leased | null> {
  const { channel, lease, attempt_number: attemptNumber } = row;
  if (channel === null || attemptNumber === null) return null;
  const request = await openFoundRequest(vault, row);
  return { request, payerId: row.payer_id, channel, lease, attemptNumber };
}

async function submitAlone(store: Store, submission: WorkSubmission): Promise<SubmittedWork> {
  if (submission.exchange) await keepX12Exchanges(store, [submission.exchange]);
  return store.db.transaction().execute(async (trx): Promise<SubmittedWork> => {
    const lease = await lockLease(trx, submission);
    if (lease.kind === 'lease_lost') return (await submittedBefore(trx, store, submission)) ?? lease;
    if (lease.kind !== 'held') return lease;
    const { request: locked } = lease;
    const { payer_id: payerId, channel, lease: token, attempt_number: attemptNumber } = locked;
    const request = await openFoundRequest(store.vault, locked);
    const leased = { request, payerId, channel, lease: token, attemptNumber };
    const misfits = misfitsOf(submission, leased);
    if (misfits.length > 0) return { kind: 'misfit', misfits };
    if (isHeldThere(submission.routes, payerId, channel))
      return holdAgentResult(trx, store, submission, { locked, opened: request });
    const found = await workFinding(store, submission, leased);
    return { kind: 'applied', version: await applyToLocked(trx, store, { ...found, request: locked }) };
  });
}

/** The answer of the same submission under the same lease that was applied, and perhaps not heard; null for none. */
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
    return heldBefore(trx, store, submission, await openFoundRequest(store.vault, locked));
  }
  if (!made.digest.equals(digestOf(store.vault, resultOf(submission)))) return null;
  const benefits =
    made.benefits &&
    (await store.vault.openJson<StoredBenefits>(
      { accountId: made.account_id },
      `result.benefits:${requestId}.${made.version}`,
      made.benefits,
    ));
  if (JSON.stringify(benefits && foundPart(benefits)) !== JSON.stringify(submission.benefits ?? null))
    return null;
  await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
  return { kind: 'applied_before', version: made.version };
}

const resultOf = ({ insuranceData }: WorkSubmission): ResultFinding => ({
  outcome: 'complete',
  errorReason: null,
  insuranceData,
});

const misfitsOf = (
  { insuranceData, isPatientConfirmed = false }: WorkSubmission,
  { request: { id, input }, channel }: Leased,
): Misfit[] => findMisfits({ insuranceData, isPatientConfirmed }, { id, input, channel });

/** Converts a submission to its finding. */
async function workFinding(
  { vault }: Store,
  submission: WorkSubmission,
  { request, channel, attemptNumber }: Leased,
) {
  const { caller, leaseToken, benefits, evidence } = submission;
  const attempt = { id: request.id, account_id: request.accountId, attempt_number: attemptNumber };
  return {
    finding: {
      ...resultOf(submission),
      benefits: benefits && storedBenefits(benefits, attemptNumber, evidence.reference),
    },
    caller,
    operation: OPERATION,
    attempt: {
      leaseToken,
      channel: channel === 'entry' ? null : channel,
      evidence: await sealEvidence(vault, attempt, withQuotes(evidence, benefits, channel)),
    },
  };
}
