import type { AttemptOutcome, EndpointDisabledReason } from '@insurance-verification/schema';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import { makeEvent, makeRequestEvent, type MadeEvent, writeEvents } from '../events/write-event.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { prepared } from '../functions/prepared-call.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';
import { finishAttemptsFunction } from './finish-attempts.sql.ts';
import type { Lease } from './leases.ts';

/** What a delivery carries, as it was claimed. */
type Carried = Pick<ClaimedDelivery, 'requestId' | 'version' | 'endpointId' | 'accountId'>;

/** The outcome of a send and its consequence. */
export interface FinishedAttempt {
  readonly lease: Lease & Carried;
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
 * Writes the attempts, their deliveries' next steps, their requests' states and the events of what that ends in one
 * transaction: in one statement, where no event can be due. Attempts whose lease is lost are skipped.
 * @returns the ids of the deliveries that were written. A missing one lost its lease: another worker has the row, or it
 * was superseded; nothing of that attempt was written.
 */
export async function finishAttempts(
  store: Store,
  attempts: readonly FinishedAttempt[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set();
  const { db, vault } = store;
  const statement = await finishing(vault, attempts);
  const run = async (inside: Kysely<Tables>) => {
    const { rows } = await statement.execute(inside);
    if (!rows[0]) throw new Error('A function with one answer gave none.');
    return rows[0];
  };
  if (!attempts.some(mayEndSomething)) return new Set((await run(db)).finished_ids);
  return db.transaction().execute(async (trx) => {
    const { finished_ids: finishedIds, due, at } = await run(trx);
    await writeEvents(
      trx,
      (due ?? []).flatMap((one) => eventOf(vault, attempts, one, at) ?? []),
    );
    return new Set(finishedIds);
  });
}

/** Whether an event may follow: the delivery is given up, or an endpoint failed. */
const mayEndSomething = ({ lease, outcome, next }: FinishedAttempt) =>
  next.kind === 'exhausted' || (lease.requestId === null && outcome !== 'succeeded');

interface FinishedRow {
  readonly finished_ids: readonly string[] | null;
  readonly due: readonly DueEvent[] | null;
  readonly at: Date;
}

/** What the statement cannot make an event of, since no key is in the database: all else is as it was claimed. */
type DueEvent = { readonly delivery_id: string } & (
  | { readonly type: 'delivery.exhausted'; readonly number: number }
  | { readonly type: 'endpoint.failing'; readonly hours: number }
  | { readonly type: 'endpoint.disabled'; readonly reason: EndpointDisabledReason }
);

async function finishing(
  vault: Vault,
  attempts: readonly FinishedAttempt[],
): Promise<RawBuilder<FinishedRow>> {
  const encrypt = await vault.encrypterFor(attempts.map(({ lease }) => lease.accountId));
  const sealedSnippet = ({ lease: { accountId, deliveryId }, startedAt, responseSnippet }: FinishedAttempt) =>
    responseSnippet && encrypt(accountId, snippetPlace(deliveryId, startedAt), responseSnippet);
  return sql<FinishedRow>`
    select * from ${finish}(
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
    ) ${prepared}`;
}

function eventOf(
  vault: Vault,
  attempts: readonly FinishedAttempt[],
  due: DueEvent,
  occurredAt: Date,
): MadeEvent | null {
  const lease = attempts.find((attempt) => attempt.lease.deliveryId === due.delivery_id)?.lease;
  if (!lease) return null;
  if (due.type === 'delivery.exhausted')
    return exhaustedEvent(vault, lease, { number: due.number, occurredAt });
  const { accountId, endpointId } = lease;
  if (endpointId === null) return null;
  const data = due.type === 'endpoint.failing' ? { hours: due.hours } : { reason: due.reason };
  return makeEvent(vault, {
    type: due.type,
    accountId,
    subjectId: endpointId,
    data: { endpoint_id: endpointId, ...data },
    occurredAt,
  });
}

/** The event of a result that was given up; null for a delivery that carries an event. */
function exhaustedEvent(
  vault: Vault,
  { deliveryId, requestId, version, accountId }: Pick<Lease, 'deliveryId'> & Carried,
  { number, occurredAt }: { readonly number: number; readonly occurredAt: Date },
): MadeEvent | null {
  if (requestId === null || version === null) return null;
  const data = { version, delivery_id: deliveryId };
  return makeRequestEvent(vault, {
    type: 'delivery.exhausted',
    requestId,
    accountId,
    number,
    data,
    occurredAt,
  });
}

interface GivenUp extends Lease, Carried {
  /** Default: webhook_exhausted. */
  readonly reason?: 'endpoint_off';
}

/**
 * Marks a delivery that cannot be sent (its encrypted values do not decrypt, its event was altered, every worker died on
 * it, or its endpoint is off) as exhausted, without an attempt: nothing reached the receiver.
 */
export async function giveUpDelivery(
  { db, vault }: Store,
  { reason: slug, ...given }: GivenUp,
): Promise<{ readonly kind: 'given_up' | 'lease_lost' }> {
  const { deliveryId, requestId, leaseToken } = given;
  const reason = slug ?? 'webhook_exhausted';
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ number: number | null; at: Date }>`
      with locked as materialized (
        select id from request where id = ${requestId} for no key update
      ), ended as (
        delete from delivery_queue using (select count(*) from locked) as waited
        where delivery_id = ${deliveryId} and lease = ${leaseToken}
        returning delivery_id
      ), given_up as (
        update delivery set status = 'exhausted', reason = ${reason}, done_at = now()
        from ended where delivery.id = ended.delivery_id
        returning delivery.request_id, delivery.version
      ), shown as (
        update request set event_count = event_count + 1,
          delivery = case when request.version = given_up.version then 'exhausted' else delivery end,
          delivery_reason = case when request.version = given_up.version then ${reason} else delivery_reason end
        from given_up where request.id = given_up.request_id and request.id = ${requestId}
        returning event_count
      )
      select (select event_count from shown) as number, now() as at from given_up`.execute(trx);
    const [ended] = rows;
    if (!ended) return { kind: 'lease_lost' };
    const { number, at: occurredAt } = ended;
    const event = number === null ? null : exhaustedEvent(vault, given, { number, occurredAt });
    if (event) await writeEvents(trx, [event]);
    return { kind: 'given_up' };
  });
}

/** The encryption context of an attempt's response snippet. The start time distinguishes a delivery's attempts. */
export function snippetPlace(deliveryId: string, startedAt: Date): string {
  return `delivery_attempt.response_snippet:${deliveryId}.${startedAt.toISOString()}`;
}
