import type { FailureReason, InsurancePlanData } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { withinChannels } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { transactionWithHandoff, type LocalWorker } from '../../delivery/direct-handoff.ts';
import { addAttempt, type Evidence, nextAttemptNumber, withQuotes } from '../../evidence/attempt-evidence.ts';
import { type FoundBenefits, storedBenefits } from '../../evidence/stored-benefits.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import { isSeeminglyReceived, KNOWN_ANSWERS_ACCOUNT_ID } from '../../known-answers/known-answers-account.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding, digestOf, openLocked } from '../../output/apply-findings.ts';
import { type AtCapacity, HELD_CAPACITY, holdOutput } from '../../output/held/hold.ts';
import type { Route, RouteChannel } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { findMismatches, isHeldThere, type Mismatch, outputOf, sameBenefits } from './submit-work.ts';

/** For how long after a result its verifier replaces it without an operator. */
export const CORRECTION_MINUTES = 10;

interface WorkCorrection {
  readonly caller: Caller;
  readonly requestId: string;
  /** Empty where it could not be verified. */
  readonly insuranceData: InsurancePlanData[];
  /** Why it could not be verified; null for a result. */
  readonly errorReason: FailureReason | null;
  /** Absent when the correction came without. */
  readonly benefits?: FoundBenefits | undefined;
  /** The verifier says that it is the patient, where the data does not show it. */
  readonly isPatientConfirmed?: boolean | undefined;
  /** With the reason of the correction. */
  readonly evidence: Evidence & { readonly correctionReason: string };
  /** Some of them hold the results of agents for an operator. */
  readonly routes: readonly Route[];
}

type CorrectedWork =
  /** `unchanged`: the result is already this one. */
  | { readonly kind: 'applied' | 'unchanged'; readonly version: number }
  | { readonly kind: 'held'; readonly heldId: string }
  | AtCapacity
  /** `not_own_result`: the current result is not the caller's, or the request has no result. */
  | { readonly kind: 'not_found' | 'erased' | 'not_own_result' }
  /** Nothing changed. */
  | { readonly kind: 'mismatch'; readonly mismatches: readonly Mismatch[] };

const OPERATION = 'work.correct' as const;

/**
 * Corrects a verifier's own result, or the failure that ended the request, to a result or a failure, under the request's lock. Within ten minutes, and while the receiver has not
 * accepted it, the correction becomes the next version. Later it is held for an operator: a provider may have acted on
 * the first. What an agent found where the payer's route holds that is held at any time.
 *
 * The delivery of the first version ends as superseded. A worker that is sending it at this moment may still deliver it;
 * the correction follows as a later version.
 * @param localWorker begins the delivery at once if it has a slot for it.
 */
export function correctWork(
  store: Store,
  correction: WorkCorrection,
  localWorker?: LocalWorker,
): Promise<CorrectedWork> {
  return transactionWithHandoff(store, async (trx, handoff): Promise<CorrectedWork> => {
    const { caller, requestId, insuranceData, errorReason, benefits, routes } = correction;
    const { isPatientConfirmed = false } = correction;
    const locked = await lockRequest(trx, requestId, caller);
    if (!locked) return { kind: 'not_found' };
    if (locked.erased_at) return { kind: 'erased' };
    const own = await findOwnResult(trx, store, { caller, locked });
    if (!own) return { kind: 'not_own_result' };
    const { channel } = own;
    const request = await openLocked(store.vault, locked);
    const finding = {
      outcome: errorReason === null ? 'complete' : 'error_verifying',
      errorReason,
      insuranceData,
    } as const;
    const isSame =
      own.digest.equals(digestOf(store.vault, finding)) &&
      (await sameBenefits(store.vault, { request, encrypted: own.benefits, submitted: benefits }));
    if (isSame) {
      await recordAccess(trx, { caller, operation: OPERATION, requestIds: [requestId] });
      return { kind: 'unchanged', version: request.version };
    }
    const mismatches = findMismatches(
      { insuranceData, isPatientConfirmed },
      { id: requestId, input: request.input, channel },
    );
    if (mismatches.length > 0) return { kind: 'mismatch', mismatches };
    const evidence = withQuotes(correction.evidence, benefits, channel);
    const found = benefits && storedBenefits(benefits, own.next_attempt, evidence.reference);
    if (!own.is_replaceable || isHeldThere(routes, locked.payer_id, channel)) {
      const held = await holdOutput(trx, store, {
        output: outputOf(request, finding),
        benefits: found,
        evidence,
        reason: 'superseding',
        request,
        caller,
        capacity: HELD_CAPACITY,
      });
      if (held.kind === 'held')
        await recordAccess(trx, {
          caller,
          operation: OPERATION,
          requestIds: [requestId],
          subjectId: held.heldId,
        });
      return held;
    }
    await addAttempt(trx, store.vault, locked, {
      channel,
      keyId: caller.keyId,
      outcome: errorReason === null ? 'succeeded' : 'failed',
      errorReason,
      evidence,
      corrects: own.asked_number,
    });
    const version = await applyFinding(
      trx,
      store,
      { request, finding: { ...finding, benefits: found }, caller, operation: OPERATION, localWorker },
      handoff,
    );
    return { kind: 'applied', version };
  });
}

interface OwnResult {
  readonly channel: RouteChannel['source'];
  readonly digest: Buffer;
  readonly benefits: Buffer | null;
  readonly next_attempt: number;
  /** The attempt that asked the payer, which this one may be a correction of. */
  readonly asked_number: number;
  /** It is not ten minutes old, and its receiver has not accepted it. */
  readonly is_replaceable: boolean;
}

/** The current result of a locked request if an attempt of the caller made it; undefined otherwise. */
async function findOwnResult(
  trx: Transaction<Tables>,
  { firstDeliveryDelaySeconds }: Store,
  { caller, locked }: { readonly caller: Caller; readonly locked: LockedRequest },
): Promise<OwnResult | undefined> {
  const { id, version, account_id: accountId } = locked;
  const isReceived =
    accountId === KNOWN_ANSWERS_ACCOUNT_ID
      ? isSeeminglyReceived(sql`result.applied_at`, firstDeliveryDelaySeconds)
      : sql<boolean>`exists (
        select from delivery where delivery.request_id = ${id} and delivery.version = ${version}
          and status = 'delivered')`;
  // By the clock after the lock was obtained: the wait may have outlasted the ten minutes.
  const { rows } = await sql<OwnResult>`
    select attempt.channel, result.digest, result.benefits, ${nextAttemptNumber(sql`${id}`)} as next_attempt,
      coalesce(attempt.corrects, attempt.number) as asked_number,
      result.applied_at > clock_timestamp() - make_interval(mins => ${CORRECTION_MINUTES}) and not ${isReceived}
        as is_replaceable
    from result join verification_attempt as attempt
      on attempt.request_id = result.request_id and attempt.result_version = result.version
    where result.request_id = ${id} and result.version = ${version} and attempt.key_id = ${caller.keyId}
      and attempt.channel is not null and ${withinChannels(caller, 'attempt.channel')}
    order by attempt.number desc limit 1`.execute(trx);
  return rows[0];
}
