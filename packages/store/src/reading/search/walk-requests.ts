import { type RawBuilder, sql } from 'kysely';
import { within } from '../../access/reach.ts';
import { memberNumbers, npiNumbers } from '../../intake/member-index.ts';
import type { Store } from '../../open-store.ts';
import { directionOf } from '../../page.ts';
import { IS_LATE } from '../count-requests.ts';
import { ABOVE, pageOfIds } from '../page-of-ids.ts';
import { findMembersFunction } from './find-members.sql.ts';
import { idSpan, type RequestSearch } from './request-search.ts';

const findMembers = sql.raw(findMembersFunction.name);

/** Selects up to `count` ids that a search looks at, in its order, each way by index alone. */
export async function walkRequests(
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
 * turn the inner query, which is limited to one row, into a scan of all keys. An index by key alone would avoid that,
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
 * Across all accounts by the primary key; account by account for one account, for a test account's operator, and for the
 * states that few requests are in, which are met only by the accounts' own indexes.
 */
function walkNewest(search: RequestSearch, count: number): RawBuilder<unknown> {
  const { caller, accountId, state, order } = search;
  const isEverywhere = caller.acrossAccounts === true && caller.mode === 'live' && accountId === undefined;
  if (isEverywhere && (state === undefined || state === 'complete'))
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
