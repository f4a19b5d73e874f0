import type {
  AttemptOutcome,
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { reachesRequest, within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { IS_LISTED } from '../delivery/delivery-filter.ts';
import { snippetPlace } from '../delivery/finish-attempts.ts';
import { nextTry } from '../delivery/receivers.ts';
import { DecryptionError } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { NAMES, openSummary, type SummaryRow } from './search-deliveries.ts';

/** `not_found`: no such delivery within the caller's reach; also for malformed ids. */
type DeliveryRead =
  | { readonly kind: 'found'; readonly delivery: DeliveryDetail }
  | { readonly kind: 'not_found' };

/** One delivery with every attempt. */
export async function getDelivery(
  { db, vault }: Store,
  { caller, deliveryId }: { readonly caller: Caller; readonly deliveryId: string },
): Promise<DeliveryRead> {
  if (!isIssuedId('msg', deliveryId)) return { kind: 'not_found' };
  // One statement: with two, an attempt being written could appear next to the previous step.
  const { rows } = await sql<SummaryRow & (AttemptRow | { readonly number: null })>`
    select delivery.id, delivery.request_id, delivery.account_id, delivery.version, delivery.event_id,
      delivery.endpoint_id, delivery.status, delivery.reason, delivery.destination, delivery.accepted_at,
      delivery.done_at, delivery.attempt_count, ${nextTry('queued.run_at')},
      ${NAMES}, attempt.*
    from delivery left join delivery_queue as queued on queued.delivery_id = delivery.id
      left join receiver on receiver.destination_host = queued.destination_host
      left join delivery_attempt as attempt on attempt.delivery_id = delivery.id
    where delivery.id = ${deliveryId} and ${IS_LISTED} and ${within(caller, 'delivery.account_id')}
    order by attempt.number`.execute(db);
  const [first] = rows;
  if (!first) return { kind: 'not_found' };
  await recordAccess(db, {
    caller,
    operation: 'deliveries.get',
    requestIds: first.request_id === null ? [] : [first.request_id],
  });
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

/** `not_found`: no such request within the caller's reach. */
type ListedDeliveries =
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
  // One statement: with two, an attempt being written could appear next to the previous step.
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

interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly response_snippet: Buffer | null;
}

/** `accountId` is the one by which the caller reaches it: the request's, or the delivery's. */
async function openAttempt(vault: Vault, accountId: string, row: AttemptRow): Promise<DeliveryAttempt> {
  return {
    number: row.number,
    at: row.at.toISOString(),
    outcome: row.outcome,
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    response_snippet: await openSnippet(vault, accountId, row),
  };
}

/** Also null for a snippet that does not open: the receiver's text is a courtesy, and must not hide the attempts. */
async function openSnippet(
  vault: Vault,
  accountId: string,
  { delivery_id: id, at, response_snippet: encrypted }: AttemptRow,
) {
  if (!encrypted) return null;
  try {
    return (await vault.decrypt({ accountId }, snippetPlace(id, at), encrypted)).toString('utf8');
  } catch (err) {
    if (err instanceof DecryptionError) return null;
    throw err;
  }
}
