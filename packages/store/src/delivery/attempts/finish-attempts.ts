import type { AttemptOutcome } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { binaryArray } from '../../functions/binary-array.ts';
import { prepared } from '../../functions/prepared-call.ts';
import type { Store } from '../../open-store.ts';
import type { Lease } from '../leases/lease.ts';
import { finishAttemptsFunction } from './finish-attempts.sql.ts';
import { snippetPlace } from './snippet-place.ts';

/** The outcome of a send and its consequence. */
export interface FinishedAttempt {
  readonly lease: Lease & { readonly requestId: string; readonly accountId: string };
  readonly startedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly responseSnippet: Uint8Array | null;
  readonly next: AfterAttempt;
}

const finish = sql.raw(finishAttemptsFunction.name);

export type AfterAttempt =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delaySeconds: number }
  | { readonly kind: 'exhausted'; readonly reason: string };

/**
 * Writes the attempts, their deliveries' next steps and their requests' states in one statement, and so in one
 * transaction. Attempts whose lease is lost are skipped.
 * @returns the ids of the deliveries that were written. A missing one lost its lease: another worker has the row, or it
 * was superseded; nothing of that attempt was written.
 */
export async function finishAttempts(
  { db, vault }: Store,
  attempts: readonly FinishedAttempt[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set();
  const seal = await vault.sealerFor(attempts.map(({ lease }) => lease.accountId));
  const sealedSnippet = ({ lease: { accountId, deliveryId }, startedAt, responseSnippet }: FinishedAttempt) =>
    responseSnippet && seal(accountId, snippetPlace(deliveryId, startedAt), responseSnippet);
  const { rows } = await sql<{ ids: string[] | null }>`
    select ${finish}(
      delivery_ids => ${binaryArray('text', attempts, ({ lease }) => lease.deliveryId)},
      request_ids => ${binaryArray('text', attempts, ({ lease }) => lease.requestId)},
      lease_tokens => ${attempts.map(({ lease }) => lease.leaseToken)},
      ats => ${attempts.map(({ startedAt }) => startedAt.toISOString())},
      outcomes => ${binaryArray('text', attempts, ({ outcome }) => outcome)},
      status_codes => ${binaryArray('integer', attempts, ({ statusCode }) => statusCode)},
      durations_ms => ${binaryArray('integer', attempts, ({ durationMs }) => durationMs)},
      response_snippets => ${binaryArray('bytea', attempts, sealedSnippet)},
      nexts => ${binaryArray('text', attempts, ({ next }) => next.kind)},
      reasons => ${binaryArray('text', attempts, ({ next }) => (next.kind === 'exhausted' ? next.reason : null))},
      delays_seconds => ${attempts.map(({ next }) => (next.kind === 'retry' ? next.delaySeconds : null))}
    ) as ids ${prepared}`.execute(db);
  return new Set(rows[0]?.ids);
}
