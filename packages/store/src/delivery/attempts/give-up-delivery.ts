import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Lease } from '../leases/lease.ts';

/**
 * Marks a delivery that cannot be sent (its encrypted values do not decrypt, or every worker died on it) as exhausted,
 * without an attempt: nothing reached the receiver.
 */
export async function giveUpDelivery(
  { db }: Store,
  { deliveryId, requestId, leaseToken }: Lease & { readonly requestId: string },
): Promise<{ readonly kind: 'given_up' | 'lease_lost' }> {
  const { rows } = await sql`
    with locked as (
      select request.id from request join delivery_queue queued
        on queued.delivery_id = ${deliveryId} and queued.lease = ${leaseToken}
      where request.id = ${requestId}
      for no key update of request
    ), ended as (
      delete from delivery_queue using locked where delivery_id = ${deliveryId} and lease = ${leaseToken}
      returning delivery_id
    ), given_up as (
      update delivery set status = 'exhausted', reason = 'webhook_exhausted', done_at = now()
      from ended where delivery.id = ended.delivery_id
      returning delivery.request_id, delivery.version
    ), shown as (
      update request set delivery = 'exhausted', delivery_reason = 'webhook_exhausted'
      from given_up where request.id = ${requestId} and request.version = given_up.version
    )
    select 1 from given_up`.execute(db);
  return { kind: rows.length === 1 ? 'given_up' : 'lease_lost' };
}
