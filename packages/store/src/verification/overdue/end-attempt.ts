import type { AttemptResult } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

export interface AttemptEnd {
  readonly outcome: Exclude<AttemptResult, 'working'>;
  readonly errorReason?: string | null;
  readonly evidence?: Buffer | null;
  /** When it ended; defaults to now. */
  readonly endedAt?: Date | null;
}

/** Ends the open attempt of a locked request, if any: a request has at most one. */
export async function endAttempt(
  trx: Transaction<Tables>,
  requestId: string,
  { outcome, errorReason = null, evidence = null, endedAt = null }: AttemptEnd,
): Promise<void> {
  await trx
    .updateTable('verification_attempt')
    .set({
      ended_at: endedAt ?? sql<Date>`now()`,
      outcome,
      error_reason: errorReason,
      evidence,
    })
    .where('request_id', '=', requestId)
    .where('ended_at', 'is', null)
    .execute();
}
