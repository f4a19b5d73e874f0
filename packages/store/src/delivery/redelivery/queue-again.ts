import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { notifyHosts, startRound } from './start-round.ts';

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
  const { rows } = await sql<{ id: string; version: number; is_erased: boolean }>`
    with candidate as (${select(batchCount)})
    select request.id, request.version, request.erased_at is not null as is_erased
    from request join candidate on candidate.request_id = request.id
    order by request.id
    for no key update of request`.execute(trx);
  const messages = rows
    .filter((row) => !row.is_erased)
    .map(({ id, version }) => ({ requestId: id, version }));
  const queued = await startRound(trx, messages, { status, until });
  if (queued.length > 0) {
    const requestIds = queued.map(({ requestId }) => requestId);
    await recordAccess(trx, { caller, operation, requestIds });
    await notifyHosts(
      trx,
      queued.map(({ host }) => host),
    );
  }
  return { foundCount: rows.length, queuedCount: queued.length };
}

/** The database's time as text, to bound what a call sends again. */
export async function readNow({ db }: Store): Promise<string> {
  const { now } = await db.selectNoFrom(sql<string>`now()::text`.as('now')).executeTakeFirstOrThrow();
  return now;
}
