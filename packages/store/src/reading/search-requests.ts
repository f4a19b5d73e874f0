import type { RequestState, RequestSummary, VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountModeOf, accountNameOf } from '../access/list-accounts.ts';
import { walksEverywhere, within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { memberNumbers, npiNumbers } from '../intake/member-index.ts';
import { isIssuedId, issuedIdAt } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { directionOf, type IdSpan, type Page, type PageOptions, spanBeyond } from '../page.ts';
import { channelOf, type Route } from '../tables/intake.ts';
import { findMembersFunction } from './find-members.sql.ts';
import { ABOVE, IS_LATE, pageOfIds } from './list-requests.ts';
import {
  CHANNEL_NOW,
  DOWN_SINCE,
  IS_OVERDUE,
  openShown,
  type RowSummary,
  type SummaryRow,
  toSummary,
} from './open-shown.ts';

/** Rows that one call reads for filters that no index serves, of each account where it goes from account to account. */
const SCAN_COUNT = 500;

interface FoundRequests extends Page<RequestSummary> {
  readonly kind: 'found';
  /** The omitted requests, whose stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

/**
 * The requests within the caller's reach that match every criterion, of their patients the initials only. A page may be
 * short or empty before the last: with rare matches a call reads a bounded number of rows, and large requests end it.
 * Each one shown is recorded.
 */
export async function searchRequests(store: Store, search: RequestSearch): Promise<FoundRequests> {
  const { found, next_cursor } = mayMatch(search) ? await readFound(store, search) : NOTHING;
  const listed = found.slice(0, search.limit);
  const opened = await openShown(
    store,
    search,
    listed.map(({ row }) => row.id),
  );
  const shown = listed.filter(({ row }) => opened.has(row.id));
  const items = shown.flatMap(({ row, summary }) => {
    const parts = opened.get(row.id);
    return summary && typeof parts === 'object' ? [{ ...summary, ...parts }] : [];
  });
  const unreadableIds = shown
    .filter(({ row, summary }) => summary === null || opened.get(row.id) === 'broken')
    .map(({ row }) => row.id);
  const requestIds = items.map((item) => item.request_id);
  await recordAccess(store.db, { caller: search.caller, operation: 'requests.search', requestIds });
  const cutAfter = shown.length < listed.length ? shown.at(-1)?.row.id : undefined;
  return { kind: 'found', items, next_cursor: cutAfter ?? next_cursor, unreadableIds };
}

/** A row, and null in place of its summary when that does not open. */
interface Found {
  readonly row: SummaryRow;
  readonly summary: RowSummary | null;
}

const NOTHING = { found: [], next_cursor: null };

async function readFound(
  store: Store,
  search: RequestSearch,
): Promise<{ readonly found: readonly Found[]; readonly next_cursor: string | null }> {
  const { limit, errorReason } = search;
  const conditions = residualConditions(search);
  const count = conditions.length > 0 ? Math.max(SCAN_COUNT, limit + 1) : limit + 1;
  // Reasons are encrypted, so they are compared here, and all that were walked are read.
  const readCount = errorReason === undefined ? limit + 1 : count;
  const { rows: walked } = await sql<{
    id: string;
  }>`${await walkRequests(store, search, count)}`.execute(store.db);
  const ids = walked.map(({ id }) => id);
  const { rows: read } = await sql<SummaryRow>`
    select id, request.account_id, ${accountNameOf('request.account_id')} as account_name, ${accountModeOf('request.account_id')} as account_mode, request.payer_id, payer_name, received_at, outcome, outcome_reason, delivery,
      delivery_reason, ${CHANNEL_NOW} as channel, erased_at, erased_reason, request.needed_by, ${IS_OVERDUE} as is_overdue,
      work_queue.channel_until, ${DOWN_SINCE} as down_since
    from request left join work_queue on work_queue.request_id = request.id
    where id = any (${ids})
      ${conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``}
    order by id ${directionOf(search)} limit ${readCount}`.execute(store.db);
  const opened = await Promise.all(
    read.map(async (row) => ({
      row,
      summary: await decryptOrNull(toSummary(store.vault, search.routes, row)),
    })),
  );
  const found = opened.filter(
    ({ summary }) => errorReason === undefined || summary === null || summary.error_reason === errorReason,
  );
  const cursorAfter =
    found.length > limit
      ? found[limit - 1]?.row.id
      : ids.length >= count && ids.toSorted().at(search.order === 'oldest' ? -1 : 0);
  return { found, next_cursor: cursorAfter || null };
}

/** What requests are searched by; absent criteria select nothing away. */
export interface RequestSearch extends PageOptions {
  readonly caller: Caller;
  /** Of the configured payers: a request that is not claimed yet waits in the first channel of its payer's. */
  readonly routes: readonly Route[];
  readonly requestId?: string | undefined;
  /** The `Idempotency-Key` of its creation. */
  readonly idempotencyKey?: string | undefined;
  /** The whole member id. */
  readonly memberId?: string | undefined;
  /** The whole NPI of the provider. */
  readonly npi?: string | undefined;
  readonly accountId?: string | undefined;
  readonly payerId?: string | undefined;
  readonly state?: RequestState | undefined;
  readonly errorReason?: string | undefined;
  readonly channel?: VerificationSource | undefined;
  /** Only those without a result although the time at which they are needed is past. */
  readonly late?: true | undefined;
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/** No row has a text that was never issued, or a NUL, which Postgres refuses in any text. */
function mayMatch({ requestId, accountId, payerId }: RequestSearch): boolean {
  if (requestId !== undefined && !isIssuedId('req', requestId)) return false;
  return ![accountId, payerId].some((text) => text?.includes('\0'));
}

/** An id holds the clock of the process that issued it, `received_at` the database's: ids are bounded wider by this. */
const SKEW_MS = 5 * 60_000;

/** The span of ids that a search walks. */
const idSpan = ({ since, until, ...place }: RequestSearch): IdSpan =>
  spanBeyond(place, {
    floor: since && issuedIdAt('req', since.getTime() - SKEW_MS),
    end: until && issuedIdAt('req', until.getTime() + SKEW_MS),
  });

/** What the walk's index does not decide, as conditions on `request` and its row of `work_queue`. What is encrypted is compared after. */
function residualConditions(search: RequestSearch): RawBuilder<boolean>[] {
  const { caller, requestId, accountId, payerId, state, errorReason, channel, since, until } = search;
  const mayBeAnothers =
    requestId !== undefined ||
    caller.mode === 'test' ||
    !caller.acrossAccounts ||
    caller.onlyMode !== undefined;
  return [
    ...(mayBeAnothers ? [within(caller, 'request.account_id')] : []),
    ...(requestId === undefined ? [] : [sql<boolean>`request.id = ${requestId}`]),
    ...(accountId === undefined ? [] : [sql<boolean>`request.account_id = ${accountId}`]),
    ...(payerId === undefined ? [] : [sql<boolean>`request.payer_id = ${payerId}`]),
    ...(state === undefined ? [] : [isInState(state)]),
    ...(errorReason === undefined
      ? []
      : [sql<boolean>`(request.outcome_reason is not null or request.delivery_reason is not null)`]),
    ...(channel === undefined ? [] : [isInChannel(channel, search.routes)]),
    ...(search.late === undefined ? [] : [IS_LATE]),
    ...(since === undefined ? [] : [sql<boolean>`request.received_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`request.received_at < ${until}`]),
  ];
}

function isInState(state: RequestState): RawBuilder<boolean> {
  if (state === 'pending') return sql<boolean>`request.outcome = 'none'`;
  if (state === 'error_sending_webhook') return sql<boolean>`request.undelivered`;
  return sql<boolean>`(request.outcome = ${state} and not request.undelivered)`;
}

function isInChannel(channel: VerificationSource, routes: readonly Route[]): RawBuilder<boolean> {
  const first = routes.filter((route) => channelOf(route, 'entry').source === channel);
  return sql<boolean>`(${CHANNEL_NOW} = ${channel} or ${CHANNEL_NOW} = 'entry'
    and request.payer_id = any (${first.map(({ payerId }) => payerId)}))`;
}

const findMembers = sql.raw(findMembersFunction.name);

/** Selects up to `count` ids that a search looks at, in its order, each way only by index. */
async function walkRequests(
  store: Store,
  search: RequestSearch,
  count: number,
): Promise<RawBuilder<unknown>> {
  const { requestId, idempotencyKey, memberId, npi } = search;
  if (requestId !== undefined) return sql`select ${requestId}::text as id`;
  if (idempotencyKey !== undefined) return walkKey(store, search, count);
  if (memberId !== undefined) return walkMember(store, search, count);
  if (npi !== undefined) return walkNpi(store, search, count);
  if (search.late !== undefined) return walkLate(search, count);
  return walkNewest(search, count);
}

/**
 * A key is unique within its account and indexed by both. So the index is probed for each account: PostgreSQL cannot
 * turn the inner query, which is limited to one row, into a scan of all keys. An index only by key would avoid that,
 * but cost every create a random write. 5,000 accounts and 300,000 keys: 26 ms.
 */
function walkKey({ vault }: Store, search: RequestSearch, count: number): RawBuilder<unknown> {
  const key = vault.index('idempotency_key.key', search.idempotencyKey ?? '');
  return sql`select keyed.request_id as id from account cross join lateral (
      select request_id from idempotency_key
      where account_id = account.id and key = ${key} limit 1
    ) as keyed
    where ${accountsOf(search)} and ${inSpan('keyed.request_id', search)}
    order by keyed.request_id ${directionOf(search)} limit ${count}`;
}

/** Each account has a key of its own, so an operator's search asks for a number an account, and one for each key that was succeeded. */
async function walkMember(store: Store, search: RequestSearch, count: number): Promise<RawBuilder<unknown>> {
  const accountIds = await accountIdsOf(store, search);
  const wanted = await memberNumbers(store.vault, accountIds, search.memberId ?? '');
  const { floor = '', end = ABOVE } = idSpan(search);
  const isOldestFirst = search.order === 'oldest';
  return sql`select id from ${findMembers}(${wanted.map(String)}::bigint[], ${floor}, ${end}, ${isOldestFirst}, ${count}) as id`;
}

/**
 * As {@link walkMember}, but a clinic has many requests of one NPI: of each number the first of the span are read, one
 * walk of the index on (npi_index, id). As rows, since an equal number makes the planner read everybody's newest.
 */
async function walkNpi(store: Store, search: RequestSearch, count: number): Promise<RawBuilder<unknown>> {
  const accountIds = await accountIdsOf(store, search);
  const wanted = await npiNumbers(store.vault, accountIds, search.npi ?? '');
  const { floor = '', end = ABOVE } = idSpan(search);
  const direction = directionOf(search);
  return sql`select found.id from unnest(${wanted.map(String)}::bigint[]) as wanted (number) cross join lateral (
      select id from request
      where (npi_index, id) >= (wanted.number, ${floor}) and (npi_index, id) < (wanted.number, ${end})
      order by npi_index ${direction}, id ${direction} limit ${count}
    ) as found order by found.id ${direction} limit ${count}`;
}

/** Of the queue, by the index of what is needed by when: all that are late are read, and no other. */
function walkLate(search: RequestSearch, count: number): RawBuilder<unknown> {
  const { caller, accountId } = search;
  const ofOne = accountId === undefined ? [] : [sql<boolean>`work_queue.account_id = ${accountId}`];
  const conditions = [IS_LATE, within(caller, 'work_queue.account_id'), ...ofOne];
  return sql`select work_queue.request_id as id from work_queue
    where ${sql.join(conditions, sql` and `)} and ${inSpan('work_queue.request_id', search)}
    order by work_queue.request_id ${directionOf(search)} limit ${count}`;
}

async function accountIdsOf({ db }: Store, search: RequestSearch): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from account where ${accountsOf(search)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Across all accounts by the primary key; account by account for one account, for test accounts, and for the
 * states that few requests are in, which are met only by the accounts' own indexes.
 */
function walkNewest(search: RequestSearch, count: number): RawBuilder<unknown> {
  const { state, order } = search;
  if (walksEverywhere(search) && (state === undefined || state === 'complete'))
    return sql`select request.id from request where ${inSpan('request.id', search)}
      order by request.id ${directionOf(search)} limit ${count}`;
  return sql`select newest.id from account cross join lateral unnest(
      ${pageOfIds(sql.ref('account.id'), state, { limit: count - 1, order }, idSpan(search))}
    ) as newest (id)
    where ${accountsOf(search)} order by newest.id ${directionOf(search)} limit ${count}`;
}

/** The accounts that are looked through one by one. */
function accountsOf({ caller, accountId }: RequestSearch): RawBuilder<boolean> {
  const reached = within(caller, 'account.id');
  return accountId === undefined ? reached : sql<boolean>`(${reached} and account.id = ${accountId})`;
}

function inSpan(column: string, search: RequestSearch): RawBuilder<boolean> {
  const { end, floor } = idSpan(search);
  const bounds = [
    ...(end === undefined ? [] : [sql<boolean>`${sql.ref(column)} < ${end}`]),
    ...(floor === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${floor}`]),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql.join<boolean>(bounds, sql` and `);
}
