import { createHash } from 'node:crypto';
import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { transactionWithHandoff } from '../../delivery/leases/direct-handoff.ts';
import type { LocalWorker } from '../../delivery/leases/local-worker.ts';
import { type Evidence, sealEvidence, withQuotes } from '../../evidence/attempt-evidence.ts';
import {
  type FoundBenefits,
  foundPart,
  type StoredBenefits,
  storedBenefits,
} from '../../evidence/stored-benefits.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding, openFoundRequest } from '../../output/apply-finding.ts';
import { digestOf, type ResultFinding } from '../../output/finding.ts';
import type { Route } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';
import { findMisfits, type Misfit } from './find-misfits.ts';
import { type HeldWork, heldBefore, holdAgentResult, isHeldThere } from './hold-agent-result.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';

export interface WorkSubmission extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  /** Absent when the submission came without. */
  readonly benefits?: FoundBenefits | undefined;
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed?: boolean | undefined;
  readonly evidence: Evidence;
  /** Some of them hold the results of agents for an operator. */
  readonly routes: readonly Route[];
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
 * Makes a verifier's finding the result of its request, under the request's lock and while the lease holds. Misfits are
 * refused rather than held: the verifier is present, the lease still holds, and the data can be corrected.
 * @param localWorker begins the delivery at once if it has a slot for it.
 */
export function submitWork(
  store: Store,
  submission: WorkSubmission,
  localWorker?: LocalWorker,
): Promise<SubmittedWork> {
  return transactionWithHandoff(store, localWorker, async (trx, handoff): Promise<SubmittedWork> => {
    const { caller, routes, insuranceData, isPatientConfirmed = false, benefits, evidence } = submission;
    const lease = await lockLease(trx, submission);
    if (lease.kind === 'lease_lost') return (await submittedBefore(trx, store, submission)) ?? lease;
    if (lease.kind !== 'held') return lease;
    const { request: locked } = lease;
    const { id, payer_id: payerId, channel, attempt_number: attemptNumber } = locked;
    const request = await openFoundRequest(store.vault, locked);
    const misfits = findMisfits({ insuranceData, isPatientConfirmed }, { id, input: request.input, channel });
    if (misfits.length > 0) return { kind: 'misfit', misfits };
    if (isHeldThere(routes, payerId, channel))
      return holdAgentResult(trx, store, submission, { locked, opened: request });
    const version = await applyFinding(
      trx,
      store,
      {
        request,
        finding: {
          ...resultOf(submission),
          benefits: benefits && storedBenefits(benefits, attemptNumber, evidence.reference),
        },
        caller,
        operation: OPERATION,
        attempt: {
          isLeased: true,
          channel: channel === 'entry' ? null : channel,
          evidence: await sealEvidence(store.vault, locked, withQuotes(evidence, benefits, channel)),
        },
      },
      handoff,
    );
    return { kind: 'applied', version };
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
