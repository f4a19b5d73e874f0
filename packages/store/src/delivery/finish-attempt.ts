import type { AttemptOutcome } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Lease } from './lease.ts';

/** What a send came to, and what follows from it. */
export interface FinishedAttempt {
  readonly lease: Lease & { readonly accountId: string };
  readonly startedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly responseSnippet: Uint8Array | null;
  readonly next: AfterAttempt;
}

export type AfterAttempt =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delaySeconds: number }
  | { readonly kind: 'exhausted'; readonly reason: string };

/**
 * Writes the attempt, the delivery's next step and the request's state in one transaction, if the lease still holds.
 * @returns false when it was lost: another worker has the row, or it was superseded; nothing was written.
 */
export async function finishAttempt({ db, vault }: Store, attempt: FinishedAttempt): Promise<boolean> {
  const { lease, next } = attempt;
  const { deliveryId } = lease;
  const done = next.kind !== 'retry';
  const reason = next.kind === 'exhausted' ? next.reason : null;
  const snippet =
    attempt.responseSnippet &&
    (await vault.seal(
      { accountId: lease.accountId },
      `delivery_attempt.response_snippet:${deliveryId}`,
      attempt.responseSnippet,
    ));
  // The request's lock comes first, as everywhere (see lockRequest).
  const { rows } = await sql`
    with locked as (
      select request.id, request.version from request
      join delivery on delivery.request_id = request.id
      where delivery.id = ${deliveryId} and delivery.lease_token = ${lease.leaseToken}
      for no key update of request
    ), finished as (
      update delivery set
        status = ${done ? next.kind : 'pending'}, reason = ${reason},
        done_at = case when ${done}::boolean then now() end,
        run_at = now() + make_interval(secs => ${next.kind === 'retry' ? next.delaySeconds : 0}),
        lease_token = null, lease_until = null, claim_count = 0,
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      from locked
      where delivery.id = ${deliveryId} and delivery.lease_token = ${lease.leaseToken}
        and delivery.request_id = locked.id
      returning delivery.request_id, delivery.version, delivery.attempt_count
    ), attempted as (
      insert into delivery_attempt (delivery_id, number, at, outcome, status_code, duration_ms, response_snippet)
      select ${deliveryId}, attempt_count, ${attempt.startedAt}::timestamptz, ${attempt.outcome}, ${attempt.statusCode}::int,
        ${attempt.durationMs}::int, ${snippet}::bytea
      from finished
    ), shown as (
      update request set delivery = ${next.kind}, delivery_reason = ${reason}
      from finished
      where ${done}::boolean and request.id = finished.request_id and request.version = finished.version
    )
    select 1 from finished`.execute(db);
  return rows.length === 1;
}
