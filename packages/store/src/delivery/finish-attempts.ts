import type { AttemptOutcome } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Lease } from './lease.ts';
import { snippetPlace } from './snippet-place.ts';

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
 * Writes the attempts, their deliveries' next steps and their requests' states in one statement, so in one
 * transaction: each of them whose lease still holds.
 * @returns the ids of the deliveries that were written. Whose is missing lost its lease: another worker has the row,
 * or it was superseded; nothing of that attempt was written.
 */
export async function finishAttempts(
  { db, vault }: Store,
  attempts: readonly FinishedAttempt[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set();
  const sealedSnippets = await Promise.all(
    attempts.map(async ({ lease: { accountId, deliveryId }, startedAt, responseSnippet }) =>
      responseSnippet
        ? vault.seal({ accountId }, snippetPlace(deliveryId, startedAt), responseSnippet)
        : null,
    ),
  );
  // First the requests' locks, as everywhere (see lockRequest), then the deliveries', each in the order of their ids:
  // two processes that finish, renew or release the same rows would else wait for each other in a circle.
  const { rows } = await sql<{ id: string }>`
    with attempt as (
      select * from unnest(
        ${attempts.map(({ lease }) => lease.deliveryId)}::text[],
        ${attempts.map(({ lease }) => lease.leaseToken)}::uuid[],
        ${attempts.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[],
        ${attempts.map(({ outcome }) => outcome)}::text[],
        ${attempts.map(({ statusCode }) => statusCode)}::int[],
        ${attempts.map(({ durationMs }) => durationMs)}::int[],
        ${sealedSnippets}::bytea[],
        ${attempts.map(({ next }) => next.kind)}::text[],
        ${attempts.map(({ next }) => (next.kind === 'exhausted' ? next.reason : null))}::text[],
        ${attempts.map(({ next }) => (next.kind === 'retry' ? next.delaySeconds : null))}::float8[]
      ) as attempt (delivery_id, lease_token, at, outcome, status_code, duration_ms, response_snippet, next, reason,
        delay_seconds)
    ), locked as (
      select request.id, request.version
      from attempt
      join delivery on delivery.id = attempt.delivery_id and delivery.lease_token = attempt.lease_token
      join request on request.id = delivery.request_id
      order by request.id
      for no key update of request
    ), held as (
      select attempt.*
      from locked
      join delivery on delivery.request_id = locked.id
      join attempt on attempt.delivery_id = delivery.id and attempt.lease_token = delivery.lease_token
      order by delivery.id
      for no key update of delivery
    ), finished as (
      update delivery set
        status = case when held.next = 'retry' then 'pending' else held.next end, reason = held.reason,
        done_at = case when held.next <> 'retry' then now() end,
        run_at = now() + make_interval(secs => coalesce(held.delay_seconds, 0)),
        lease_token = null, lease_until = null, claim_count = 0,
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      from held
      where delivery.id = held.delivery_id
      returning delivery.id, delivery.request_id, delivery.version, delivery.attempt_count
    ), attempted as (
      insert into delivery_attempt (delivery_id, number, at, outcome, status_code, duration_ms, response_snippet)
      select finished.id, finished.attempt_count, held.at, held.outcome, held.status_code, held.duration_ms,
        held.response_snippet
      from finished join held on held.delivery_id = finished.id
    ), shown as (
      update request set delivery = held.next, delivery_reason = held.reason
      from finished join held on held.delivery_id = finished.id join locked on locked.id = finished.request_id
      where held.next <> 'retry' and request.id = finished.request_id and locked.version = finished.version
    )
    select id from finished`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
