import type { RedeliveredExhausted } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { PROBE } from './wake-when-due.ts';

export interface ExhaustedRedelivery {
  readonly caller: Caller;
  readonly since: Date;
  readonly limit: number;
}

/** Requests locked at once: a verifier or a worker waits for one of them some 20 ms at most. */
const BATCH_COUNT = 250;

const OPERATION = 'deliveries.redeliverExhausted';

/**
 * Starts a new round of attempts for every message exhausted since a time, as `redeliver` does for one: same id, same
 * bytes. Only for current results: a corrected one must not arrive after its correction. One transaction per batch, so
 * an interrupted call keeps its progress, and calling again does the rest; deliveries in progress are left alone.
 */
export async function redeliverExhausted(
  { db }: Store,
  redelivery: ExhaustedRedelivery,
): Promise<RedeliveredExhausted> {
  const { caller, limit } = redelivery;
  // A message sent again by this call may be exhausted anew while it runs, at once after a 410; without the bound it
  // would loop forever. As text: a Date would lose the microseconds, and with them messages exhausted in this
  // millisecond.
  const { until } = await db.selectNoFrom(sql<string>`now()::text`.as('until')).executeTakeFirstOrThrow();
  const scope = { ...redelivery, until };
  let redeliveredCount = 0;
  while (redeliveredCount < limit) {
    const batchCount = Math.min(BATCH_COUNT, limit - redeliveredCount);
    const batch = await db.transaction().execute((trx) => redeliverBatch(trx, scope, batchCount));
    redeliveredCount += batch.redeliveredCount;
    if (batch.foundCount === 0) break;
  }
  if (redeliveredCount === 0) await recordAccess(db, { caller, operation: OPERATION });
  const left = await exhausted(scope, 1).execute(db);
  return { redelivered: redeliveredCount, more: left.rows.length > 0 };
}

type Scope = ExhaustedRedelivery & { readonly until: string };

async function redeliverBatch(trx: Transaction<Tables>, scope: Scope, batchCount: number) {
  // Locks the requests first, in id order, as everywhere (see lockRequest). Under the locks each delivery is checked
  // again: another call may have queued it by now, or a correction may have replaced it.
  const { rows } = await sql<{ request_id: string; queued: boolean; host: Buffer | null }>`
    with candidate as (${exhausted(scope, batchCount)}
    ), locked as (
      select request.id, request.version from request join candidate on candidate.request_id = request.id
      order by request.id
      for no key update of request
    ), queued as (
      update delivery set status = 'pending', reason = null, done_at = null, run_at = now(), round_attempt_count = 0,
        claim_count = 0
      from locked
      where delivery.request_id = locked.id and delivery.version = locked.version and delivery.status = 'exhausted'
      returning delivery.request_id, delivery.destination_host
    )
    select locked.id as request_id, queued.request_id is not null as queued, queued.destination_host as host
    from locked left join queued on queued.request_id = locked.id`.execute(trx);
  const requestIds = rows.filter(({ queued }) => queued).map((row) => row.request_id);
  if (requestIds.length > 0) {
    await recordAccess(trx, { caller: scope.caller, operation: OPERATION, requestIds });
    // Names each host, so that its circuit breaker lets a probe through: a redelivery implies that the host is back.
    const payloads = new Set(rows.flatMap(({ host }) => (host ? PROBE + host.toString('base64') : [])));
    await sql`select pg_notify('delivery_due', payload) from unnest(${[...payloads]}::text[]) as payload`.execute(
      trx,
    );
  }
  return { foundCount: rows.length, redeliveredCount: requestIds.length };
}

/** Account by account, so that each is one short walk of the index on (account_id, exhausted_at). */
function exhausted({ caller, since, until }: Scope, count: number) {
  return sql`
    select exhausted.request_id
    from account cross join lateral (
      select delivery.request_id
      from delivery
      join request on request.id = delivery.request_id and request.version = delivery.version
      where delivery.account_id = account.id
        and delivery.exhausted_at >= ${since} and delivery.exhausted_at < ${until}::timestamptz
      order by delivery.exhausted_at
      limit ${count}
    ) as exhausted
    where ${within(caller, 'account.id')}
    limit ${count}`;
}
