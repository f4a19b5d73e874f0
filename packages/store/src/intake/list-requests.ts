import type { RequestModel, RequestState } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readSizedPage } from '../page.ts';
import { openRequestModel, requestModelColumns, type RequestModelRow } from '../request-row.ts';
import { showsState } from './shows-state.ts';

export interface RequestListOptions extends PageOptions {
  readonly state?: RequestState | undefined;
}

export interface RequestPage extends Page<RequestModel> {
  /** The requests of the page that are left out, since their stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

/**
 * The account's requests, newest first. One that does not open costs its own place, not the list; large ones make a page
 * shorter than was asked for.
 */
export async function listRequests(
  { db, vault }: Store,
  caller: Caller,
  { state, ...page }: RequestListOptions,
): Promise<RequestPage> {
  const requests = db
    .selectFrom('request')
    .select(requestModelColumns)
    .where('account_id', '=', caller.accountId)
    .$if(state !== undefined, (query) => query.where(showsState(state ?? 'pending')));
  const { rows, nextCursor } = await readSizedPage(db, requests, { ...page, column: 'input' });
  const opened = await Promise.all(rows.map((row) => openOrNull(vault, row)));
  const unreadableIds = rows.flatMap(({ id }, index) => (opened[index] === null ? [id] : []));
  const requestIds = rows.map(({ id }) => id).filter((id) => !unreadableIds.includes(id));
  await recordAccess(db, { caller, operation: 'requests.list', requestIds });
  return { items: opened.filter((request) => request !== null), nextCursor, unreadableIds };
}

async function openOrNull(vault: Vault, row: RequestModelRow): Promise<RequestModel | null> {
  try {
    return await openRequestModel(vault, row);
  } catch (err) {
    if (err instanceof SealBrokenError) return null;
    throw err;
  }
}
