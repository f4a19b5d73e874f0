import type { InsurancePlanData } from '@insurance-verification/schema';
import type { LockedRequest } from '../../intake/lock-request.ts';
import { openRequestInfo } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding } from '../../output/finding/apply-finding.ts';
import { type Evidence, sealEvidence } from '../evidence/attempt-evidence.ts';
import { keepX12Exchanges, type PlainX12Exchange } from '../evidence/x12-exchange.ts';
import { findMisfits, type Misfit } from './find-misfits.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';
import type { ClaimedWork } from './open-claimed.ts';

export interface WorkSubmission extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed?: boolean | undefined;
  readonly evidence: Evidence;
  /** The leased request, if this process claimed it, which saves reading it again. */
  readonly claimed?: ClaimedWork;
  /** Evidence that is stored whatever the outcome. */
  readonly exchange?: PlainX12Exchange | undefined;
}

export type SubmittedWork =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'not_found' | 'lease_lost' }
  /** Nothing changed. */
  | { readonly kind: 'misfit'; readonly misfits: readonly Misfit[] };

/**
 * Makes the findings the request's result, in the same transaction as an accepted output. Misfits are refused rather
 * than held: the verifier is present, the lease still holds, and the data can be corrected.
 */
export async function submitWork(store: Store, submission: WorkSubmission): Promise<SubmittedWork> {
  const { insuranceData, isPatientConfirmed = false, exchange } = submission;
  if (exchange) await keepX12Exchanges(store, [exchange]);
  return store.db.transaction().execute(async (trx): Promise<SubmittedWork> => {
    const lease = await lockLease(trx, submission);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    const { id, channel } = request;
    const input = await openRequestInfo(store.vault, request);
    const misfits = findMisfits({ insuranceData, isPatientConfirmed }, { id, input, channel });
    if (misfits.length > 0) return { kind: 'misfit', misfits };
    const found = await workFinding(store, submission, request);
    return { kind: 'applied', version: await applyFinding(trx, store, { ...found, request }) };
  });
}

/** Converts a submission to its finding. */
export async function workFinding(
  { vault }: Store,
  { caller, insuranceData, leaseToken, evidence }: WorkSubmission,
  request: Pick<LockedRequest, 'id' | 'account_id' | 'verification_attempt_count' | 'channel'>,
) {
  const { channel } = request;
  return {
    finding: { outcome: 'complete' as const, errorReason: null, insuranceData },
    caller,
    operation: 'work.submit' as const,
    attempt: {
      leaseToken,
      channel: channel === 'entry' ? null : channel,
      evidence: await sealEvidence(vault, request, evidence),
    },
  };
}
