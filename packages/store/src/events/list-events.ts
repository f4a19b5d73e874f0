import type {
  AttemptOutcome,
  DeliveryStatus,
  EventType,
  ListedEvent,
  WebhookEvent,
} from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { type CoveredEvent, EVENT_JSON, openEvent, type StoredEvent } from './event-mac.ts';

export interface EventListing {
  readonly caller: Caller;
  readonly limit: number;
  /** Only events after this one; one that is not kept is as if absent. */
  readonly after?: string | undefined;
  readonly type?: EventType | undefined;
  readonly subject?: string | undefined;
  readonly accountId?: string | undefined;
}

interface ListedEvents {
  readonly items: ListedEvent[];
  readonly more: boolean;
}

interface EventRow {
  readonly id: string;
  readonly written_by: string;
  readonly event: StoredEvent;
  readonly deliveries: readonly DeliveryRow[] | null;
}

interface DeliveryRow {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  /** Milliseconds since 1970, like `at` below. */
  readonly next_attempt_at: number | null;
  readonly attempts: readonly AttemptRow[] | null;
}

interface AttemptRow {
  readonly number: number;
  readonly at: number;
  readonly outcome: AttemptOutcome;
  readonly status_code: number | null;
  readonly duration_ms: number;
}

/** The place of an event in the list: the transaction that wrote it, then its id. */
type Place = Pick<EventRow, 'written_by' | 'id'>;

/**
 * The events within reach after a given one, oldest first, with their deliveries to the caller's endpoints, without those
 * whose MAC is wrong. Each call is recorded, with the requests that it names.
 *
 * A reader that follows `after` misses none. Events are in the order of the transactions that wrote them, not of their
 * ids: a transaction may commit later than one that issued a later id. Only those of transactions before the oldest that
 * is still open are shown, so an event that appears later comes after every one that was shown before.
 */
export async function listEvents(store: Store, listing: EventListing): Promise<ListedEvents> {
  const { db, vault } = store;
  const { caller, limit, after, subject, accountId } = listing;
  if ([after, subject, accountId].some((text) => text?.includes('\0'))) return { items: [], more: false };
  if (!caller.acrossAccounts && accountId !== undefined && accountId !== caller.accountId)
    return { items: [], more: false };
  const count = limit + 1;
  const found: ListedEvent[] = [];
  let place = await placeOf(db, caller, after);
  for (let isMore = true; isMore && found.length < count;) {
    const rows = await readPage(db, listing, { place, count });
    for (const row of rows) {
      const event = openEvent(vault, row.id, row.event);
      if (event) found.push(toListedEvent(event, row.deliveries));
    }
    isMore = rows.length === count;
    place = rows.at(-1);
  }
  const items = found.slice(0, limit);
  const requestIds = [...new Set(items.flatMap(({ data }) => data.request_id ?? []))];
  await recordAccess(db, { caller, operation: 'events.list', requestIds });
  return { items, more: found.length > limit };
}

async function readPage(
  db: Kysely<Tables>,
  { caller, type, subject, accountId }: EventListing,
  { place: after, count }: { readonly place: Place | undefined; readonly count: number },
): Promise<readonly EventRow[]> {
  const ofOne = caller.acrossAccounts ? accountId : caller.accountId;
  const given = <T>(value: T | undefined, condition: (value: T) => ReturnType<typeof sql<boolean>>) =>
    value === undefined ? sql<boolean>`true` : condition(value);
  const { rows } = await sql<EventRow>`
    select listed.*, (
      select jsonb_agg(jsonb_build_object(
          'delivery_id', delivery.id, 'endpoint_id', delivery.endpoint_id, 'status', delivery.status,
          'reason', delivery.reason, 'next_attempt_at', 1000 * extract(epoch from queued.run_at),
          'attempts', (
            select jsonb_agg(jsonb_build_object('number', attempt.number, 'at', 1000 * extract(epoch from attempt.at),
              'outcome', attempt.outcome, 'status_code', attempt.status_code, 'duration_ms', attempt.duration_ms)
              order by attempt.number)
            from delivery_attempt as attempt where attempt.delivery_id = delivery.id)
        ) order by delivery.id)
      from delivery left join delivery_queue as queued on queued.delivery_id = delivery.id
      where delivery.event_id = listed.id and delivery.account_id = ${caller.accountId}
    ) as deliveries
    from (
      select event.id, event.written_by, ${sql.raw(EVENT_JSON)} as event from event
      where event.written_by < pg_snapshot_xmin(pg_current_snapshot()) and ${within(caller, 'event.account_id')}
        and ${given(ofOne, (id) => sql`event.account_id = ${id}`)}
        and ${given(type, (one) => sql`event.type = ${one}`)}
        and ${given(subject, (id) => sql`event.subject_id = ${id}`)}
        and event.type <> 'work.available'
        and ${caller.acrossAccounts ? sql<boolean>`true` : sql<boolean>`event.type <> 'request.held'`}
        and ${given(after, ({ written_by, id }) => sql`(event.written_by, event.id) > (${written_by}::xid8, ${id})`)}
      order by event.written_by, event.id
      limit ${count}
    ) as listed
    order by listed.written_by, listed.id`.execute(db);
  return rows;
}

/** The place of an event within reach; undefined for one that is not there, or not any more. */
async function placeOf(
  db: Kysely<Tables>,
  caller: Caller,
  after: string | undefined,
): Promise<Place | undefined> {
  if (after === undefined || !isIssuedId('evt', after)) return undefined;
  return db
    .selectFrom('event')
    .select(['written_by', 'id'])
    .where('id', '=', after)
    .where(within(caller, 'account_id'))
    .executeTakeFirst();
}

function toListedEvent({ body }: CoveredEvent, deliveries: EventRow['deliveries']): ListedEvent {
  const { id, type, account_id, occurred_at, number, data } = JSON.parse(body) as WebhookEvent;
  return {
    id,
    type,
    account_id,
    occurred_at,
    number,
    data,
    deliveries: (deliveries ?? []).map((delivery) => ({
      ...delivery,
      next_attempt_at: delivery.next_attempt_at === null ? null : toTime(delivery.next_attempt_at),
      attempts: (delivery.attempts ?? []).map((attempt) => ({ ...attempt, at: toTime(attempt.at) })),
    })),
  };
}

const toTime = (ms: number) => new Date(ms).toISOString();
