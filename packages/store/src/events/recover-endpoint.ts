import type { RecoveredEndpoint } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { recordAccess } from '../access/record-access.ts';
import { notifyHosts } from '../delivery/redeliver.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { lockEndpoint, type OfEndpoint } from './endpoints.ts';
import { countMissed, MISSED_COUNT_MAX, missedEvents } from './missed-events.ts';
import { issueIdFunction } from './write-event.sql.ts';

interface Recovery extends OfEndpoint {
  /** Null: what it missed while it was off. Otherwise all that it did not take since then. */
  readonly since: Date | null;
  /** Whether it only counts. */
  readonly isDryRun: boolean;
}

type RecoveryOfEndpoint =
  | { readonly kind: 'recovered'; readonly recovered: RecoveredEndpoint }
  /** No such endpoint, or it is disabled: what it missed could not be posted. */
  | { readonly kind: 'not_found' };

/**
 * Posts the events that an endpoint missed while it was off, or did not take since a time, the oldest 10,000, each with
 * the id and the bytes that it would have had. Called again it posts the next ones, and none that is under way or taken.
 */
export async function recoverEndpoint(
  { db }: Store,
  { caller, endpointId, since, isDryRun }: Recovery,
): Promise<RecoveryOfEndpoint> {
  return db.transaction().execute(async (trx): Promise<RecoveryOfEndpoint> => {
    const row = await lockEndpoint(trx, { caller, endpointId });
    if (!row || row.disabled_at !== null) return { kind: 'not_found' };
    const recoveredCount = isDryRun ? 0 : await postMissed(trx, row, since);
    const missedCount = await countMissed(trx, endpointId, since);
    await recordAccess(trx, { caller, operation: 'endpoints.recover', subjectId: endpointId });
    return { kind: 'recovered', recovered: { recovered_count: recoveredCount, missed_count: missedCount } };
  });
}

type LockedEndpoint = NonNullable<Awaited<ReturnType<typeof lockEndpoint>>>;

/** Queues what an endpoint did not take, and forgets when it was off once nothing of that is left. @returns how many. */
async function postMissed(
  trx: Transaction<Tables>,
  endpoint: LockedEndpoint,
  since: Date | null,
): Promise<number> {
  const { id: endpointId } = endpoint;
  const { rows } = await sql`
      with missed as materialized (
        select * from (${missedEvents(endpointId, since)}) as missed order by occurred_at, event_id limit ${MISSED_COUNT_MAX}
      ), again as (
        update delivery set status = 'pending', reason = null, done_at = null, round_attempt_count = 0
        from missed where delivery.id = missed.delivery_id and delivery.status = 'exhausted'
        returning delivery.*
      ), first as (
        insert into delivery (id, event_id, endpoint_id, account_id, destination, destination_host)
        select ${sql.raw(issueIdFunction.name)}('msg'), missed.event_id, ${endpointId}, ${endpoint.account_id}, ${endpoint.url}, ${endpoint.destination_host}
        from missed where missed.delivery_id is null
        returning delivery.*
      )
      insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
      select destination_host, account_id, now(), id from again union all
      select destination_host, account_id, now(), id from first
      returning delivery_id`.execute(trx);
  if (rows.length > 0) await notifyHosts(trx, [endpoint.destination_host]);
  if ((await countMissed(trx, endpointId)) === 0)
    await trx
      .updateTable('webhook_endpoint')
      .set({ missed_from: null, missed_until: null })
      .where('id', '=', endpointId)
      .execute();
  return rows.length;
}
