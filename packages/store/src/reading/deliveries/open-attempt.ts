import type { AttemptOutcome, DeliveryAttempt } from '@insurance-verification/schema';
import { snippetPlace } from '../../delivery/finish-attempts.ts';
import { SealBrokenError } from '../../encryption/seal.ts';
import type { Vault } from '../../encryption/vault.ts';

export interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly response_snippet: Buffer | null;
}

/** `accountId` is the one by which the caller reaches it: the request's, or the delivery's. */
export async function openAttempt(
  vault: Vault,
  accountId: string,
  row: AttemptRow,
): Promise<DeliveryAttempt> {
  return {
    number: row.number,
    at: row.at.toISOString(),
    outcome: row.outcome,
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    response_snippet: await openSnippet(vault, accountId, row),
  };
}

/** Also null for a snippet that does not open: the receiver's text is a courtesy, and must not hide the attempts. */
async function openSnippet(
  vault: Vault,
  accountId: string,
  { delivery_id: id, at, response_snippet: sealed }: AttemptRow,
) {
  if (!sealed) return null;
  try {
    return (await vault.open({ accountId }, snippetPlace(id, at), sealed)).toString('utf8');
  } catch (err) {
    if (err instanceof SealBrokenError) return null;
    throw err;
  }
}
