import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables.ts';
import { PROBE } from '../wake-when-due.ts';

/** Requests locked at once: a verifier or a worker waits for one of them some 20 ms at most. */
const BATCH_COUNT = 250;

interface BulkRedelivery {
  readonly caller: Caller;
  readonly operation: 'deliveries.redeliverExhausted' | 'deliveries.redeliverMatching';
  /** The status that the messages have; they are checked again under the lock of their request. */
  readonly status: 'exhausted' | 'delivered';
  /** Only messages that were done before, as Postgres writes it: a Date would lose the microseconds. */
  readonly until: string;
  readonly limit: number;
  /** Selects `request_id` of at most so many messages. */
  readonly select: (count: number) => RawBuilder<unknown>;
}

/**
 * Starts a new round of attempts for the selected messages, as `redeliver` does for one: same id, same bytes. One
 * transaction per batch, so an interrupted call keeps its progress. Recorded for each, or once for none.
 * @returns how many were queued.
 */
export async function queueAgain({ db }: Store, redelivery: BulkRedelivery): Promise<number> {
  let queuedCount = 0;
  while (queuedCount < redelivery.limit) {
    const batchCount = Math.min(BATCH_COUNT, redelivery.limit - queuedCount);
    const batch = await db.transaction().execute((trx) => queueBatch(trx, redelivery, batchCount));
    queuedCount += batch.queuedCount;
    if (batch.foundCount === 0) break;
  }
  const { caller, operation } = redelivery;
  if (queuedCount === 0) await recordAccess(db, { caller, operation });
  return queuedCount;
}

async function queueBatch(trx: Transaction<Tables>, redelivery: BulkRedelivery, batchCount: number) {
  const { caller, operation, status, until, select } = redelivery;
  // Locks the requests first, in id order, as everywhere (see lockRequest). Under the locks each delivery is checked
  // again: another call may have queued it by now, or a correction may have replaced it.
  const { rows } = await sql<{ request_id: string; queued: boolean; host: Buffer | null }>`
    with candidate as (${select(batchCount)}
    ), locked as (
      select request.id, request.version, request.erased_at from request join candidate on candidate.request_id = request.id
      order by request.id
      for no key update of request
    ), queued as (
      update delivery set status = 'pending', reason = null, done_at = null, run_at = now(), round_attempt_count = 0,
        claim_count = 0
      from locked
      where delivery.request_id = locked.id and delivery.version = locked.version and delivery.status = ${status}
        and delivery.done_at < ${until}::timestamptz and locked.erased_at is null
      returning delivery.request_id, delivery.destination_host
    )
    select locked.id as request_id, queued.request_id is not null as queued, queued.destination_host as host
    from locked left join queued on queued.request_id = locked.id`.execute(trx);
  const requestIds = rows.filter(({ queued }) => queued).map((row) => row.request_id);
  if (requestIds.length > 0) {
    await recordAccess(trx, { caller, operation, requestIds });
    // Names each host, so that its circuit breaker lets a probe through: a redelivery implies that the host is back.
    const payloads = new Set(rows.flatMap(({ host }) => (host ? PROBE + host.toString('base64') : [])));
    await sql`select pg_notify('delivery_due', payload) from unnest(${[...payloads]}::text[]) as payload`.execute(
      trx,
    );
  }
  return { foundCount: rows.length, queuedCount: requestIds.length };
}

/** The database's time as text, to bound what a call sends again. */
export async function readNow({ db }: Store): Promise<string> {
  const { now } = await db.selectNoFrom(sql<string>`now()::text`.as('now')).executeTakeFirstOrThrow();
  return now;
}
