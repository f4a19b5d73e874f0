import { createHash } from 'node:crypto';
import type { InsurancePlanData, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { type Evidence, sealEvidence, withQuotes } from '../../evidence/attempt-evidence.ts';
import { type FoundBenefits, storedBenefits } from '../../evidence/stored-benefits.ts';
import type { Store } from '../../open-store.ts';
import type { OpenedRequest } from '../../output/apply-finding.ts';
import { HELD_CAPACITY, type NoRoom } from '../../output/held/held-capacity.ts';
import { heldDigestOf, holdOutput } from '../../output/held/hold-output.ts';
import { isAgentChannel, type QueueName, type Route } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';
import { endAttempt } from '../overdue/end-attempt.ts';
import type { LeasedRequest, WorkLease } from './lock-lease.ts';

const REASON = 'agent_result';

export type HeldWork = { readonly kind: 'held'; readonly heldId: string } | NoRoom;

interface AgentFinding extends WorkLease {
  readonly insuranceData: InsurancePlanData[];
  readonly benefits?: FoundBenefits | undefined;
  readonly evidence: Evidence;
}

/** Whether what is found in a payer's channel waits for a person's look. */
export function isHeldThere(routes: readonly Route[], payerId: string, channel: QueueName): boolean {
  return (
    isAgentChannel(channel) && routes.some((route) => route.payerId === payerId && route.holdsAgentResults)
  );
}

/**
 * Holds what an agent found, ends its attempt, and keeps the request from other verifiers for as long as it may stay in
 * the channel. Applied by an operator, it becomes the result. Dismissed, or when the channel's time is over, the request
 * is handed on as after any channel that did not find out.
 */
export async function holdAgentResult(
  trx: Transaction<Tables>,
  store: Store,
  { caller, requestId, insuranceData, benefits, evidence }: AgentFinding,
  { locked, opened }: { readonly locked: LeasedRequest; readonly opened: OpenedRequest },
): Promise<HeldWork> {
  const held = await holdOutput(trx, store, {
    output: outputOf(opened, insuranceData),
    benefits: benefits && storedBenefits(benefits, locked.attempt_number, evidence.reference),
    reason: REASON,
    request: opened,
    caller,
    capacity: HELD_CAPACITY,
  });
  if (held.kind === 'erased') throw new Error('An agent names its own request alone.');
  if (held.kind === 'no_room') return held;
  await endAttempt(trx, requestId, {
    outcome: 'held',
    evidence: await sealEvidence(store.vault, locked, withQuotes(evidence, benefits, locked.channel)),
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

/** What the same finding under the same lease was held as, and perhaps not heard; null where it was not. */
export async function heldBefore(
  trx: Transaction<Tables>,
  { vault }: Store,
  { caller, requestId, leaseToken, insuranceData, benefits }: AgentFinding,
  opened: OpenedRequest,
): Promise<HeldWork | null> {
  const output = outputOf(opened, insuranceData);
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
const outputOf = (
  { id, input, receivedTimestamp }: OpenedRequest,
  insuranceData: InsurancePlanData[],
): ResponseModel => ({
  request: {
    request_id: id,
    input,
    received_timestamp: receivedTimestamp,
    state: 'complete',
    error_reason: null,
  },
  insurance_data: insuranceData,
});
