import { ErrorReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { nextAttemptNumber } from '../../evidence/next-attempt-number.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { Tables } from '../../tables/tables.ts';
import { attemptOf, type ResultFinding } from './finding.ts';

export interface FindersAttempt {
  /** Locked. The finding is about to become its next result. */
  readonly request: LockedRequest;
  readonly finding: ResultFinding;
  /** The submitting verifier's key; null when the finding came without one. */
  readonly keyId: string | null;
}

/**
 * Credits the finder of a result that somebody else applies: ends the verifier's open attempt with it, or writes a new
 * one. To be called before `applyFinding`, which would credit whoever applies it and end open attempts as superseded.
 */
export async function writeFindersAttempt(
  trx: Transaction<Tables>,
  { request, finding, keyId }: FindersAttempt,
): Promise<void> {
  const end = {
    ended_at: sql<Date>`now()`,
    outcome: finding.outcome === 'complete' ? ('succeeded' as const) : ('failed' as const),
    error_reason: ErrorReason.safeParse(finding.errorReason).data ?? null,
    result_version: request.version + 1,
  };
  const { numUpdatedRows } = await trx
    .updateTable('verification_attempt')
    .set(end)
    .where('request_id', '=', request.id)
    .where('ended_at', 'is', null)
    .where('key_id', '=', keyId) // null matches no row
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await trx
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
    .execute();
}
