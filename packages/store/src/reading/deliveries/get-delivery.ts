import type { DeliveryDetail } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { nextTry } from '../../delivery/receivers.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { type AttemptRow, openAttempt } from './open-attempt.ts';
import { NAMES, openSummary, type SummaryRow } from './open-summary.ts';

/** `not_found`: no such delivery within the caller's reach; also for malformed ids. */
export type DeliveryRead =
  | { readonly kind: 'found'; readonly delivery: DeliveryDetail }
  | { readonly kind: 'not_found' };

/** One delivery with every attempt. */
export async function getDelivery(
  { db, vault }: Store,
  { caller, deliveryId }: { readonly caller: Caller; readonly deliveryId: string },
): Promise<DeliveryRead> {
  if (!isIssuedId('msg', deliveryId)) return { kind: 'not_found' };
  // One statement: with two, an attempt being written could appear beside the previous step.
  const { rows } = await sql<SummaryRow & (AttemptRow | { readonly number: null })>`
    select delivery.id, delivery.request_id, delivery.account_id, delivery.version, delivery.status, delivery.reason,
      delivery.destination, delivery.accepted_at, delivery.done_at, delivery.attempt_count, ${nextTry('queued.run_at')},
      ${NAMES}, attempt.*
    from delivery left join delivery_queue as queued on queued.delivery_id = delivery.id
      left join receiver on receiver.destination_host = queued.destination_host
      left join delivery_attempt as attempt on attempt.delivery_id = delivery.id
    where delivery.id = ${deliveryId} and ${within(caller, 'delivery.account_id')}
    order by attempt.number`.execute(db);
  const [first] = rows;
  if (!first) return { kind: 'not_found' };
  await recordAccess(db, { caller, operation: 'deliveries.get', requestIds: [first.request_id] });
  const attempts = rows.filter((row) => row.number !== null);
  const last = attempts.at(-1);
  const summary = await openSummary(vault, {
    ...first,
    last_at: last?.at ?? null,
    last_outcome: last?.outcome ?? null,
    last_status_code: last?.status_code ?? null,
  });
  const opened = await Promise.all(attempts.map((attempt) => openAttempt(vault, first.account_id, attempt)));
  return { kind: 'found', delivery: { ...summary, attempts: opened } };
}
