import type { AttemptOutcome } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { writeEventFunction } from '../events/write-event.sql.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { prepared } from '../functions/prepared-call.ts';
import type { Store } from '../open-store.ts';
import { finishAttemptsFunction } from './finish-attempts.sql.ts';
import type { Lease } from './leases.ts';

/** The outcome of a send and its consequence. */
export interface FinishedAttempt {
  readonly lease: Lease & { readonly requestId: string | null; readonly accountId: string };
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
  const encrypt = await vault.encrypterFor(attempts.map(({ lease }) => lease.accountId));
  const sealedSnippet = ({ lease: { accountId, deliveryId }, startedAt, responseSnippet }: FinishedAttempt) =>
    responseSnippet && encrypt(accountId, snippetPlace(deliveryId, startedAt), responseSnippet);
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

interface GivenUp extends Lease {
  /** Null for an event. */
  readonly requestId: string | null;
  /** Default: webhook_exhausted. */
  readonly reason?: 'endpoint_off';
}

/**
 * Marks a delivery that cannot be sent (its encrypted values do not decrypt, every worker died on it, or its endpoint is
 * off) as exhausted, without an attempt: nothing reached the receiver.
 */
export async function giveUpDelivery(
  { db }: Store,
  { deliveryId, requestId, leaseToken, reason: slug }: GivenUp,
): Promise<{ readonly kind: 'given_up' | 'lease_lost' }> {
  const reason = slug ?? 'webhook_exhausted';
  const { rows } = await sql`
    with locked as materialized (
      select id from request where id = ${requestId} for no key update
    ), ended as (
      delete from delivery_queue using (select count(*) from locked) as waited
      where delivery_id = ${deliveryId} and lease = ${leaseToken}
      returning delivery_id
    ), given_up as (
      update delivery set status = 'exhausted', reason = ${reason}, done_at = now()
      from ended where delivery.id = ended.delivery_id
      returning delivery.id, delivery.request_id, delivery.version
    ), shown as (
      update request set event_count = event_count + 1,
        delivery = case when request.version = given_up.version then 'exhausted' else delivery end,
        delivery_reason = case when request.version = given_up.version then ${reason} else delivery_reason end
      from given_up where request.id = given_up.request_id and request.id = ${requestId}
      returning request.id, request.account_id, event_count, given_up.version, given_up.id as delivery_id
    )
    select (
      select ${sql.raw(writeEventFunction.name)}('delivery.exhausted', account_id, id, event_count, jsonb_build_object(
        'request_id', id, 'version', version, 'delivery_id', delivery_id), null)
      from shown
    ) from given_up`.execute(db);
  return { kind: rows.length === 1 ? 'given_up' : 'lease_lost' };
}

/** The encryption context of an attempt's response snippet. The start time distinguishes a delivery's attempts. */
export function snippetPlace(deliveryId: string, startedAt: Date): string {
  return `delivery_attempt.response_snippet:${deliveryId}.${startedAt.toISOString()}`;
}
