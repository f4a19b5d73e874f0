import { ErrorReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { nextAttemptNumber } from '../../evidence/next-attempt-number.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { applyFinding, openFoundRequest } from '../apply-finding.ts';
import { attemptOf, findingOf, type ResultFinding } from '../finding.ts';
import { findSealedHeld, openHeldBenefits, openHeldBody } from './held-seal.ts';
import { settleHeldOutput } from './settle-held-output.ts';

export interface HeldApplication {
  readonly caller: Caller;
  readonly heldId: string;
  /** The request to apply it to; by default the one that the output names. */
  readonly requestId?: string | undefined;
}

export type AppliedHeldOutput =
  | { readonly kind: 'applied'; readonly requestId: string; readonly version: number }
  /** `not_a_result`: it reports progress. */
  | { readonly kind: 'not_found' | 'settled' | 'not_a_result' }
  /** `erased`: the data of the request is gone, so that no result of it can be delivered. */
  | { readonly kind: 'erased' }
  /** `no_target`: the output names no known request, and no other was given. */
  | { readonly kind: 'no_target' | 'unknown_request' };

/**
 * Applies a held output, by an operator's decision, to its own request or to a named one. On a finished request that is
 * a correction, version n+1, delivered as a separate message.
 */
export async function applyHeldOutput(
  store: Store,
  application: HeldApplication,
): Promise<AppliedHeldOutput> {
  const { heldId, caller } = application;
  if (!isIssuedId('held', heldId)) return { kind: 'not_found' };
  return store.db.transaction().execute(async (trx): Promise<AppliedHeldOutput> => {
    const held = await findSealedHeld(trx, { caller, heldId });
    if (!held) return { kind: 'not_found' };
    if (held.status !== 'held') return { kind: 'settled' };
    const finding = findingOf(await openHeldBody(store.vault, held));
    if (!finding) return { kind: 'not_a_result' };
    const requestId = application.requestId ?? held.request_id;
    if (requestId === null) return { kind: 'no_target' };
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'unknown_request' };
    if (request.erased_at) return { kind: 'erased' };
    // Under the request's lock, so that of two operators one settles it and the other learns that it is settled.
    if (!(await settleHeldOutput(trx, { heldId, status: 'applied', caller }))) return { kind: 'settled' };
    const operation = 'heldOutputs.apply';
    if (held.request_id !== null && held.request_id !== requestId) {
      await recordAccess(trx, { caller, operation, requestIds: [held.request_id], subjectId: heldId });
    }
    const attempt = await writeFindersAttempt(trx, { request, finding, keyId: held.received_by });
    const benefits = await openHeldBenefits(store.vault, held);
    const version = await applyFinding(trx, store, {
      request: await openFoundRequest(store.vault, request),
      finding: { ...finding, ...(benefits && { benefits: { ...benefits, attempt } }) },
      caller,
      operation,
      heldOutputId: heldId,
    });
    return { kind: 'applied', requestId, version };
  });
}

interface FindersAttempt {
  /** Locked. The finding is about to become its next result. */
  readonly request: LockedRequest;
  readonly finding: ResultFinding;
  /** The submitting verifier's key; null when the finding came without one. */
  readonly keyId: string | null;
}

/**
 * Credits the finder of a result that an operator applies: ends the verifier's open or held attempt with it, or writes a new
 * one. To be called before `applyFinding`, which would credit the operator and end open attempts as superseded.
 * @returns the attempt's number.
 */
async function writeFindersAttempt(
  trx: Transaction<Tables>,
  { request, finding, keyId }: FindersAttempt,
): Promise<number> {
  const end = {
    ended_at: sql<Date>`now()`,
    outcome: finding.outcome === 'complete' ? ('succeeded' as const) : ('failed' as const),
    error_reason: ErrorReason.safeParse(finding.errorReason).data ?? null,
    result_version: request.version + 1,
  };
  const ended = await trx
    .updateTable('verification_attempt')
    .set(end)
    .where('request_id', '=', request.id)
    .where('number', '=', (attempt) =>
      attempt
        .selectFrom('verification_attempt')
        .select(({ fn }) => fn.max('number').as('number'))
        .where('request_id', '=', request.id)
        .where('key_id', '=', keyId) // null matches no row
        .where('outcome', 'in', ['working', 'held']),
    )
    .returning('number')
    .executeTakeFirst();
  if (ended) return ended.number;
  const added = await trx
    .insertInto('verification_attempt')
    .values({
      request_id: request.id,
      number: nextAttemptNumber(sql`${request.id}`),
      account_id: request.account_id,
      payer_id: request.payer_id,
      channel: attemptOf(finding).channel,
      key_id: keyId,
      ...end,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return added.number;
}
