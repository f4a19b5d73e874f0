import {
  type AttemptOutcome,
  type DeliveryStatus,
  type DeliverySummary,
  type EventType,
  initialsOf,
} from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import { accountModeOf, accountNameOf } from '../access/list-accounts.ts';
import { walksEverywhere, within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import {
  accountsOf,
  and,
  type DeliveryFilter,
  idSpan,
  IS_LISTED,
  LAST_ATTEMPT,
  mayMatch,
  ofAccount,
  residualConditions,
} from '../delivery/delivery-filter.ts';
import { type CarriedTo, destinationPlace, hostAndPort } from '../delivery/message.ts';
import { nextTry } from '../delivery/receivers.ts';
import { decryptOrNull, DecryptionError } from '../encryption/encrypt.ts';
import { WrongMasterKeyError } from '../encryption/master-keys.ts';
import type { Vault } from '../encryption/vault.ts';
import { EVENT_JSON, openEvent, type StoredEvent } from '../events/event-mac.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { directionOf, type Page, type PageOptions } from '../page.ts';

export interface DeliverySearch extends DeliverySelection, PageOptions {}

/** Rows that one call reads for filters that no index serves, of each account where it goes from account to account. */
const SCAN_COUNT = 500;

/**
 * The deliveries within reach that match every filter, each with its last attempt. A page may be short or
 * empty before the last: with rare matches a call reads a bounded number of rows. Each one shown is recorded.
 */
export async function searchDeliveries(store: Store, search: DeliverySearch): Promise<Page<DeliverySummary>> {
  const { rows, next_cursor } = mayMatch(search) ? await readRows(store, search) : NOTHING;
  const items = await Promise.all(rows.map((row) => openSummary(store.vault, row)));
  const requestIds = [...new Set(rows.flatMap((row) => row.request_id ?? []))];
  await recordAccess(store.db, { caller: search.caller, operation: 'deliveries.list', requestIds });
  return { items, next_cursor };
}

const NOTHING = { rows: [], next_cursor: null };

interface Edge {
  readonly walked_count: number;
  readonly last_walked_id: string | null;
}

/** The aggregate that returns the last id of a walk. */
const lastOf = ({ order }: DeliverySearch) => (order === 'oldest' ? sql`max` : sql`min`);

type FoundRow = Edge & (SummaryRow | { readonly id: null });

async function readRows({ db, vault }: Store, search: DeliverySearch) {
  const { limit, status } = search;
  const conditions = residualConditions(vault, search);
  if (search.caller.onlyMode !== undefined) conditions.push(within(search.caller, 'delivery.account_id'));
  if (passesOthers(search)) conditions.push(sql<boolean>`delivery.status = ${status}`);
  const count = conditions.length > 0 ? Math.max(SCAN_COUNT, limit + 1) : limit + 1;
  const { rows } = await sql<FoundRow>`
    with walked as materialized (${walkDeliveries({ ...search, count })}),
    edge as (select count(*)::int as walked_count, ${lastOf(search)}(id) as last_walked_id from walked),
    matching as (
      select delivery.*, last.at as last_at, last.outcome as last_outcome, last.status_code as last_status_code,
        ${nextTry('queued.run_at')}
      from walked as delivery left join delivery_queue as queued on queued.delivery_id = delivery.id
        left join receiver on receiver.destination_host = queued.destination_host ${LAST_ATTEMPT}
      where ${and(conditions)} order by delivery.id ${directionOf(search)} limit ${limit + 1}
    )
    select edge.*, delivery.*, ${NAMES} from edge left join matching as delivery on true
    order by delivery.id ${directionOf(search)}`.execute(db);
  const found = rows.filter((row): row is Edge & SummaryRow => row.id !== null);
  const shown = found.slice(0, limit);
  const edge = rows[0];
  const cursorAfter =
    found.length > limit ? shown.at(-1)?.id : edge && edge.walked_count >= count && edge.last_walked_id;
  return { rows: shown, next_cursor: cursorAfter || null };
}

interface DeliverySelection extends DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
}

interface DeliveryWalk extends DeliverySelection, Pick<PageOptions, 'cursor' | 'order'> {
  /** How many rows it reads at most, of each account where it goes from account to account. */
  readonly count: number;
}

/**
 * Whether the walk passes rows of other statuses. Only those given up have an index of their own: it is written when
 * one fails, whereas one by status would be written with each delivery that succeeds.
 */
const passesOthers = ({ requestId, endpointId, status }: DeliverySelection): boolean =>
  (requestId ?? endpointId) === undefined && status !== undefined && status !== 'exhausted';

/** What a list shows. Not the body: it may be large, and is a patient's. */
const COLUMNS = sql`delivery.id, delivery.request_id, delivery.account_id, delivery.version, delivery.event_id,
  delivery.endpoint_id, delivery.status, delivery.reason, delivery.destination, delivery.destination_host,
  delivery.accepted_at, delivery.done_at, delivery.attempt_count`;

/**
 * Selects the newest deliveries within reach, or the oldest, only by index: across all accounts by the primary key; otherwise, and for
 * those given up, account by account, since these few are met only there.
 */
function walkDeliveries(walk: DeliveryWalk): RawBuilder<unknown> {
  const { caller, accountId, requestId, endpointId, status, count } = walk;
  const span = idSpan(walk);
  const direction = directionOf(walk);
  const inSpan = sql<boolean>`delivery.id >= ${span.floor} and delivery.id < ${span.end} and ${IS_LISTED}`;
  if (requestId !== undefined || endpointId !== undefined) {
    const ofOne = accountId === undefined ? [] : [sql<boolean>`delivery.account_id = ${accountId}`];
    const ofStatus = status === undefined ? [] : [sql<boolean>`delivery.status = ${status}`];
    const named =
      requestId === undefined
        ? sql<boolean>`delivery.endpoint_id = ${endpointId}`
        : sql<boolean>`delivery.request_id = ${requestId}`;
    const conditions = [named, within(caller, 'delivery.account_id'), ...ofOne, ...ofStatus, inSpan];
    return sql`select ${COLUMNS} from delivery where ${and(conditions)}
      order by delivery.id ${direction} limit ${count}`;
  }
  const isGivenUp = status === 'exhausted';
  if (walksEverywhere(walk) && !isGivenUp)
    return sql`select ${COLUMNS} from delivery where ${inSpan} order by delivery.id ${direction} limit ${count}`;
  const givenUp = isGivenUp ? [sql<boolean>`delivery.exhausted_at is not null`] : [];
  const conditions = [ofAccount(span), IS_LISTED, ...givenUp];
  return sql`select walked.* from account cross join lateral (
      select ${COLUMNS} from delivery where ${and(conditions)}
      order by delivery.account_id ${direction}, delivery.id ${direction} limit ${count}
    ) as walked
    where ${accountsOf(walk)} order by walked.id ${direction} limit ${count}`;
}

/** A delivery, of a result or of an event, with its last attempt. */
export interface SummaryRow {
  readonly id: string;
  /** With the next three, of a result; null for an event. */
  readonly request_id: string | null;
  readonly payer_name: string | null;
  /** An encrypted `RequestInfo`; empty once it is erased. */
  readonly input: Buffer | null;
  readonly version: number | null;
  /** With the next two, of an event; null for a result. */
  readonly event_id: string | null;
  readonly event: StoredEvent | null;
  readonly endpoint_id: string | null;
  readonly account_id: string;
  /** A JSON string. */
  readonly account_name: string;
  readonly account_mode: 'live' | 'test';
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly destination: Buffer;
  readonly accepted_at: Date;
  readonly done_at: Date | null;
  /** When the next attempt is due; null for one that is done. */
  readonly run_at: Date | null;
  /** Since when its receiver is paused; null while it is not, and when nothing waits. */
  readonly paused_since: Date | null;
  readonly attempt_count: number;
  readonly last_at: Date | null;
  readonly last_outcome: AttemptOutcome | null;
  readonly last_status_code: number | null;
}

/** The account, payer, patient and event of a `delivery`: probes of primary keys for each row that is shown. */
export const NAMES = sql`${accountNameOf('delivery.account_id')} as account_name,
  ${accountModeOf('delivery.account_id')} as account_mode,
  (select request.payer_name from request where request.id = delivery.request_id) as payer_name,
  (select request.input from request where request.id = delivery.request_id) as input,
  (select ${sql.raw(EVENT_JSON)} from event where event.id = delivery.event_id) as event`;

/** Converts a row to its API form. Of the callback address only host and port are shown: its path may name a patient. */
export async function openSummary(vault: Vault, row: SummaryRow): Promise<DeliverySummary> {
  return {
    delivery_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    account_mode: row.account_mode,
    payer: row.payer_name,
    patient_initials: await openInitials(vault, row),
    version: row.version,
    event_id: row.event_id,
    event_type: typeOfEvent(vault, row),
    endpoint_id: row.endpoint_id,
    status: row.status,
    reason: row.reason,
    host: await openHost(vault, row),
    accepted_at: row.accepted_at.toISOString(),
    done_at: row.done_at?.toISOString() ?? null,
    next_attempt_at: row.run_at?.toISOString() ?? null,
    paused_since: row.paused_since?.toISOString() ?? null,
    attempt_count: row.attempt_count,
    last_attempt_at: row.last_at?.toISOString() ?? null,
    last_outcome: row.last_outcome,
    last_status_code: row.last_status_code,
  };
}

function typeOfEvent(vault: Vault, { event_id: eventId, event }: SummaryRow): EventType | null {
  if (eventId === null) return null;
  return (openEvent(vault, eventId, event)?.type ?? null) as EventType | null;
}

async function openInitials(vault: Vault, row: SummaryRow): Promise<string | null> {
  if (row.request_id === null || row.input === null || row.input.length === 0) return null;
  const asked = { id: row.request_id, account_id: row.account_id, input: row.input };
  const input = await decryptOrNull(openRequestInfo(vault, asked));
  return initialsOf(input?.patient_info.name);
}

/** The host and port of a delivery's address; null where that does not open. */
export async function openHost(
  vault: Vault,
  {
    account_id: accountId,
    destination,
    ...carried
  }: CarriedTo & Pick<SummaryRow, 'account_id' | 'destination'>,
): Promise<string | null> {
  try {
    const callbackUrl = await vault.decrypt({ accountId }, destinationPlace(carried), destination);
    return hostAndPort(callbackUrl.toString('utf8'));
  } catch (err) {
    if (err instanceof DecryptionError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}
