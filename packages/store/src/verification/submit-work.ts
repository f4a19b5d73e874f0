import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { applyFinding } from '../output/apply-finding.ts';
import { isAboutRequest } from '../output/decide-disposition.ts';
import { openRequestInfo } from '../request-row.ts';
import { type Evidence, sealEvidence } from './attempt-evidence.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';

export interface WorkSubmission extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  readonly evidence: Evidence;
}

export type SubmittedWork =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'not_found' | 'lease_lost' }
  /** Nothing changed. */
  | { readonly kind: 'misfit'; readonly misfits: readonly Misfit[] };

/** A field of an entry that does not fit: it is not of the leased channel, or about another patient. */
export interface Misfit {
  readonly index: number;
  readonly field: 'verification_source' | 'patient_info';
}

/**
 * Makes what was found the request's result, in the transaction in which an accepted output becomes one. What does not
 * fit is refused, not held: the verifier is there, the lease still holds, and it can be put right.
 */
export async function submitWork(store: Store, submission: WorkSubmission): Promise<SubmittedWork> {
  return store.db.transaction().execute(async (trx): Promise<SubmittedWork> => {
    const request = await lockLease(trx, submission);
    if (typeof request === 'string') return { kind: request };
    const { id: requestId, channel } = request;
    const { caller, insuranceData } = submission;
    const input = await openRequestInfo(store.vault, request);
    const misfits = insuranceData.flatMap((entry, index): Misfit[] => [
      ...(entry.verification_source === channel ? [] : [{ index, field: 'verification_source' as const }]),
      ...(isAboutRequest(entry, { id: requestId, input }) ? [] : [{ index, field: 'patient_info' as const }]),
    ]);
    if (misfits.length > 0) return { kind: 'misfit', misfits };
    const version = await applyFinding(trx, store, {
      request,
      finding: { outcome: 'complete', errorReason: null, insuranceData },
      caller,
      operation: 'work.submit',
      attempt: {
        holdsLease: true,
        channel: channel === 'entry' ? null : channel,
        evidence: await sealEvidence(store.vault, request, submission.evidence),
      },
    });
    return { kind: 'applied', version };
  });
}
