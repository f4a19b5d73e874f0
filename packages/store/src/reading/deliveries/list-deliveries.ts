import type { Delivery } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { reachesRequest } from '../../access/reaches-request.ts';
import { recordAccess } from '../../access/record-access.ts';
import { nextTry } from '../../delivery/receivers.ts';
import type { Store } from '../../open-store.ts';
import { type AttemptRow, openAttempt } from './open-attempt.ts';

/** `not_found`: no such request within the caller's reach. */
export type ListedDeliveries =
  | { readonly kind: 'found'; readonly deliveries: Delivery[] }
  | { readonly kind: 'not_found' };

/** A request's deliveries in version order, each with its attempts. */
export async function listDeliveries(
  { db, vault }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ListedDeliveries> {
  if (!(await reachesRequest({ db }, { caller, requestId }))) return { kind: 'not_found' };
  await recordAccess(db, { caller, operation: 'requests.deliveries', requestIds: [requestId] });
  return { kind: 'found', deliveries: await readDeliveries({ db, vault }, requestId) };
}

/** The deliveries of a request that the caller was let see. */
export async function readDeliveries(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  requestId: string,
): Promise<Delivery[]> {
  // One statement: with two, an attempt being written could appear beside the previous step.
  const { rows } = await sql<DeliveryRow & (AttemptRow | { number: null })>`
    select delivery.id, delivery.version, delivery.status, request.account_id, ${nextTry('queued.run_at')}, attempt.*
    from delivery join request on request.id = delivery.request_id
      left join delivery_queue as queued on queued.delivery_id = delivery.id
      left join receiver on receiver.destination_host = queued.destination_host
      left join delivery_attempt as attempt on attempt.delivery_id = delivery.id
    where delivery.request_id = ${requestId}
    order by delivery.version, attempt.number`.execute(db);
  const deliveries = [...new Map(rows.map((row) => [row.id, row])).values()];
  const attempts = rows.filter((row) => row.number !== null);
  return Promise.all(
    deliveries.map(async ({ id, version, status, account_id: accountId, run_at, paused_since }) => ({
      delivery_id: id,
      version,
      status,
      next_attempt_at: run_at?.toISOString() ?? null,
      paused_since: paused_since?.toISOString() ?? null,
      attempts: await Promise.all(
        attempts
          .filter((attempt) => attempt.delivery_id === id)
          .map((attempt) => openAttempt(vault, accountId, attempt)),
      ),
    })),
  );
}

interface DeliveryRow {
  id: string;
  version: number;
  status: Delivery['status'];
  /** The request's. */
  account_id: string;
  run_at: Date | null;
  paused_since: Date | null;
}
