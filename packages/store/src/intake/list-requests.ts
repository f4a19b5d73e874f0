import type { RequestModel, RequestState } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readSizedPage } from '../page.ts';
import { newestIds } from './newest-ids.ts';
import { openReadable } from './open-readable.ts';
import { requestModelColumns } from './request-row.ts';

export interface RequestListOptions extends PageOptions {
  readonly caller: Caller;
  readonly state?: RequestState | undefined;
}

export interface RequestPage extends Page<RequestModel> {
  /** The page's omitted requests, whose stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

/**
 * The account's requests, newest first. A request that does not open costs its own place, not the list; large requests
 * make a page shorter than requested.
 */
export async function listRequests(
  { db, vault }: Store,
  { caller, state, ...page }: RequestListOptions,
): Promise<RequestPage> {
  const requests = db
    .selectFrom('request')
    .select(requestModelColumns)
    .where(sql<boolean>`id = any (array(${newestIds(caller.accountId, state, page)}))`);
  const { rows, next_cursor } = await readSizedPage(db, requests, { ...page, column: 'input' });
  const { readable, unreadableIds } = await openReadable(vault, rows);
  const requestIds = readable.map(({ row }) => row.id);
  await recordAccess(db, { caller, operation: 'requests.list', requestIds });
  return { items: readable.map(({ request }) => request), next_cursor, unreadableIds };
}
