import type { RecoveredEndpoint } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { recordAccess } from '../access/record-access.ts';
import { notifyHosts } from '../delivery/redeliver.ts';
import type { Store } from '../open-store.ts';
import { lockEndpoint, type OfEndpoint } from './endpoints.ts';
import { countMissed, MISSED_COUNT_MAX, missedEvents } from './missed-events.ts';
import { issueIdFunction } from './write-event.sql.ts';

type RecoveryOfEndpoint =
  | { readonly kind: 'recovered'; readonly recovered: RecoveredEndpoint }
  /** No such endpoint, or it is disabled: what it missed could not be posted. */
  | { readonly kind: 'not_found' };

/**
 * Posts the events that an endpoint missed while it was off, the oldest 10,000, each with the id and the bytes that it
 * would have had. Called again it posts the next ones, and none twice.
 */
export async function recoverEndpoint(
  { db }: Store,
  { caller, endpointId }: OfEndpoint,
): Promise<RecoveryOfEndpoint> {
  return db.transaction().execute(async (trx): Promise<RecoveryOfEndpoint> => {
    const row = await lockEndpoint(trx, { caller, endpointId });
    if (!row || row.disabled_at !== null) return { kind: 'not_found' };
    const { rows } = await sql`
      with missed as materialized (
        select * from (${missedEvents(endpointId)}) as missed order by occurred_at, event_id limit ${MISSED_COUNT_MAX}
      ), again as (
        update delivery set status = 'pending', reason = null, done_at = null, round_attempt_count = 0
        from missed where delivery.id = missed.delivery_id and delivery.status = 'exhausted'
        returning delivery.*
      ), first as (
        insert into delivery (id, event_id, endpoint_id, account_id, destination, destination_host)
        select ${sql.raw(issueIdFunction.name)}('msg'), missed.event_id, ${endpointId}, ${row.account_id}, ${row.url}, ${row.destination_host}
        from missed where missed.delivery_id is null
        returning delivery.*
      )
      insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
      select destination_host, account_id, now(), id from again union all
      select destination_host, account_id, now(), id from first
      returning delivery_id`.execute(trx);
    const missedCount = await countMissed(trx, endpointId);
    if (missedCount === 0)
      await trx
        .updateTable('webhook_endpoint')
        .set({ missed_from: null, missed_until: null })
        .where('id', '=', endpointId)
        .execute();
    if (rows.length > 0) await notifyHosts(trx, [row.destination_host]);
    await recordAccess(trx, { caller, operation: 'endpoints.recover', subjectId: endpointId });
    return { kind: 'recovered', recovered: { recovered_count: rows.length, missed_count: missedCount } };
  });
}
