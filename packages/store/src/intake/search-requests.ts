import type { FoundRequest } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readSizedPage } from '../page.ts';
import { openReadable } from './open-readable.ts';
import { requestModelColumns } from './request-row.ts';

export interface RequestSearch extends PageOptions {
  readonly caller: Caller;
  readonly requestId?: string | undefined;
  /** The `Idempotency-Key` of its creation. */
  readonly idempotencyKey?: string | undefined;
  readonly accountId?: string | undefined;
}

export interface FoundRequests {
  readonly kind: 'found';
  readonly items: readonly FoundRequest[];
  readonly next_cursor: string | null;
  /** The omitted requests, whose stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

/** The requests within the caller's reach that match all criteria, newest first. Every request shown is recorded. */
export async function searchRequests(store: Store, search: RequestSearch): Promise<FoundRequests> {
  const ids = await findIds(store, search);
  const { rows, next_cursor } = ids.length > 0 ? await readFound(store, ids, search) : NOTHING;
  const { readable, unreadableIds } = await openReadable(store.vault, rows);
  const requestIds = readable.map(({ row }) => row.id);
  await recordAccess(store.db, { caller: search.caller, operation: 'requests.search', requestIds });
  const items = readable.map(({ row, request }) => ({ account_id: row.account_id, request }));
  return { kind: 'found', items, next_cursor, unreadableIds };
}

const NOTHING = { rows: [], next_cursor: null };

function readFound(
  { db }: Store,
  ids: readonly string[],
  { caller, accountId, limit, cursor }: RequestSearch,
) {
  const requests = db
    .selectFrom('request')
    .select([...requestModelColumns, 'account_id'])
    .where('id', 'in', ids)
    .where(within(caller, 'account_id'))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''));
  return readSizedPage(db, requests, { limit, cursor, column: 'input' });
}

/** Candidate ids. A text that cannot be an id matches nothing; NUL would be a database error. */
async function findIds(store: Store, search: RequestSearch): Promise<readonly string[]> {
  const { requestId, idempotencyKey, accountId } = search;
  if (requestId !== undefined && !isIssuedId('req', requestId)) return [];
  if (accountId?.includes('\0')) return [];
  if (idempotencyKey === undefined) return requestId === undefined ? [] : [requestId];
  const ids = await findByKey(store, idempotencyKey, search);
  return requestId === undefined ? ids : ids.filter((id) => id === requestId);
}

/**
 * A key is unique within its account and indexed by both. So the index is probed for each account: PostgreSQL cannot
 * turn the inner query, which is limited to one row, into a scan of all keys. An index by key alone would avoid that,
 * but cost every create a random write. 5,000 accounts and 300,000 keys: 26 ms.
 */
async function findByKey(
  { db, vault }: Store,
  idempotencyKey: string,
  { caller, requestId, accountId, cursor, limit }: RequestSearch,
): Promise<string[]> {
  const rows = await db
    .selectFrom('account')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('idempotency_key')
          .select('request_id')
          .whereRef('account_id', '=', 'account.id')
          .where('key', '=', vault.index('idempotency_key.key', idempotencyKey))
          .limit(1)
          .as('keyed'),
      (join) => join.onTrue(),
    )
    .select('keyed.request_id')
    .where(within(caller, 'account.id'))
    .$if(accountId !== undefined, (query) => query.where('account.id', '=', accountId ?? ''))
    .$if(requestId !== undefined, (query) => query.where('keyed.request_id', '=', requestId ?? ''))
    .$if(cursor !== undefined, (query) => query.where('keyed.request_id', '<', cursor ?? ''))
    .orderBy('keyed.request_id', 'desc')
    .limit(limit + 1)
    .execute();
  return rows.map((row) => row.request_id);
}
